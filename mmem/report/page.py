"""The frame of a report: its style, its script, the page around the parts."""

from __future__ import annotations

import base64
import hashlib

from mmem.schemas.html import text

COLOURS = 8
"""How many colours people get before they repeat."""

STYLE = """
:root{color-scheme:light dark;--page:#f6f5f1;--card:#fffefb;--ink:#1d2329;--soft:#5b6570;
--line:#dedbd2;
--accent:#0b6e74;--ok:#22743f;--miss:#b3261e;--shadow:0 1px 2px #0001,0 4px 16px #0000000a;
--p0:#1f77a8;--p1:#c4571b;--p2:#3c8a4e;--p3:#8a5aa8;--p4:#b0892b;--p5:#b8457a;--p6:#4f6d7a;
--p7:#7a6a4f}
@media(prefers-color-scheme:dark){:root{--page:#14181b;--card:#1c2226;--ink:#e8e6e0;
--soft:#9aa5ad;
--line:#333b41;--accent:#5cc3c0;--ok:#6cc98a;--miss:#ff8a80;--shadow:none;
--p0:#62b4e4;--p1:#f0935c;--p2:#78c78b;--p3:#bf97dc;--p4:#dcb95c;--p5:#ea8ab5;--p6:#93b2bf;
--p7:#bfae8f}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",
Roboto,"Helvetica Neue",sans-serif;padding-bottom:env(safe-area-inset-bottom)}
main,header,footer{max-width:58rem;margin:0 auto;padding:0 1.1rem}
header{padding-top:2.6rem}
h1{font-size:clamp(1.6rem,4.5vw,2.3rem);line-height:1.15;margin:0;letter-spacing:-.02em}
h2{font-size:.82rem;text-transform:uppercase;letter-spacing:.09em;color:var(--soft);
margin:2.6rem 0 .8rem}
h3{font-size:1.08rem;line-height:1.35;margin:0;overflow-wrap:anywhere}
a{color:var(--accent)}
.lead,.meta,footer{color:var(--soft)}
.lead{margin:.5rem 0 0}
.meta{font-size:.88rem;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;
box-shadow:var(--shadow);
padding:1rem 1.1rem;margin:0 0 .9rem;scroll-margin-top:1rem}
.row{display:flex;gap:.6rem;align-items:baseline;justify-content:space-between;flex-wrap:wrap}
.badge{flex:none;font-size:.75rem;font-weight:600;border:1px solid currentColor;
border-radius:99px;
padding:.05rem .55rem;color:var(--soft);white-space:nowrap}
.ok{color:var(--ok)}.miss{color:var(--miss)}
.people{display:flex;flex-wrap:wrap;gap:.15rem .9rem;list-style:none;margin:.5rem 0 0;padding:0;
font-size:.85rem}
.people i{display:inline-block;width:.7em;height:.7em;border-radius:3px;margin-right:.4em}
.lane{display:block;width:100%;height:26px;margin-top:.7rem;
background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:5px}
.bars{height:64px}
.axis{display:flex;gap:.8rem;justify-content:space-between;font-size:.75rem;color:var(--soft);
font-variant-numeric:tabular-nums;margin-top:.15rem}
.film{display:flex;gap:.5rem;overflow-x:auto;margin:.7rem -1.1rem 0;padding:0 1.1rem .3rem;
scroll-snap-type:x proximity;
scroll-padding:1.1rem}
.film a{flex:0 0 8.6rem;scroll-snap-align:start;text-decoration:none;color:var(--soft);
font-size:.76rem;font-variant-numeric:tabular-nums}
.film img{display:block;width:100%;aspect-ratio:16/9;object-fit:cover;border-radius:6px;
border:1px solid var(--line);background:#000}
.short{font-size:1.45rem;font-weight:650;line-height:1.25;letter-spacing:-.01em;
margin:.55rem 0 .2rem;overflow-wrap:anywhere}
.none{color:var(--soft);font-weight:600}
.said{margin:.35rem 0;overflow-wrap:anywhere}
sup{line-height:0}sup a{text-decoration:none;font-weight:600;padding:0 .1em}
.cites{list-style:none;margin:.8rem 0 0;padding:0;display:grid;gap:.5rem}
.cite{display:grid;grid-template-columns:auto 1fr;gap:.1rem .7rem;
border-top:1px solid var(--line);padding-top:.55rem;font-size:.93rem}
.cite>b{color:var(--accent);font-variant-numeric:tabular-nums}
.cite>div{min-width:0;overflow-wrap:anywhere}
.cite img{display:block;width:min(100%,22rem);border-radius:8px;border:1px solid var(--line);
margin-top:.4rem;background:#000}
.play{white-space:nowrap;font-weight:600;text-decoration:none}
q{quotes:"\\201c" "\\201d"}
summary{cursor:pointer;color:var(--soft);font-size:.9rem;margin-top:.5rem}
footer{font-size:.82rem;padding:2rem 1.1rem 3rem}
:target{outline:2px solid var(--accent);outline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#player{position:sticky;bottom:0;z-index:2;max-width:34rem;margin:0 auto;background:#101416;
color:#e8e6e0;
border-radius:12px 12px 0 0;padding:.5rem .6rem .6rem;box-shadow:0 -4px 24px #0005}
#player[hidden]{display:none}
#player video{display:block;width:100%;max-height:42vh;border-radius:6px;background:#000}
#player p{display:flex;justify-content:space-between;gap:1rem;margin:0 0 .4rem;font-size:.85rem}
#player button{font:inherit;color:inherit;background:none;border:1px solid #fff6;
border-radius:6px;padding:0 .6rem;cursor:pointer}
.fill0{fill:var(--p0);background:var(--p0)}.fill1{fill:var(--p1);background:var(--p1)}
.fill2{fill:var(--p2);background:var(--p2)}.fill3{fill:var(--p3);background:var(--p3)}
.fill4{fill:var(--p4);background:var(--p4)}.fill5{fill:var(--p5);background:var(--p5)}
.fill6{fill:var(--p6);background:var(--p6)}.fill7{fill:var(--p7);background:var(--p7)}
.cut{stroke:var(--soft);stroke-width:1;vector-effect:non-scaling-stroke;stroke-dasharray:2 2}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{#player{display:none}.card{break-inside:avoid;box-shadow:none}}
"""

SCRIPT = """
(() => {
  const player = document.getElementById("player");
  const video = player.querySelector("video");
  const name = player.querySelector("span");
  document.addEventListener("click", event => {
    const link = event.target.closest("a[data-at]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const file = link.href.split("#")[0];
    const at = Number(link.dataset.at);
    player.hidden = false;
    name.textContent = link.dataset.name;
    if (video.dataset.file !== file) {
      video.dataset.file = file;
      video.src = file + "#t=" + at;
    } else {
      video.currentTime = at;
    }
    video.play().catch(() => {});
  });
  player.querySelector("button").addEventListener("click", () => {
    video.pause();
    player.hidden = true;
  });
})();
"""


def page(title: str, lead: str, body: str) -> str:
    """Return the whole page; `body` is HTML, `title` and `lead` are plain text."""
    script_digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src data:; media-src 'self' file:; "
        f"style-src 'unsafe-inline'; script-src 'sha256-{script_digest}'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{text(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<header><h1>{text(title)}</h1><p class="lead">{text(lead)}</p></header>
<main>
{body}
</main>
<footer>Made by mmem. This page fetches nothing; recordings play from where they lie.</footer>
<aside id="player" hidden aria-label="Player">
<p><span></span><button type="button">Close</button></p>
<video controls preload="none"></video></aside>
<script>{SCRIPT}</script>
</body>
</html>
"""
