# ruff: noqa: E501 - tables of phrases in many languages
"""What WhatsApp writes in place of content, in the languages of its users."""

from __future__ import annotations

import re
from typing import Literal

from mmem.ingestors.text import words

AttachmentKind = Literal["picture", "video", "audio", "document", "contact", "location", "other"]

_EXTENSIONS: dict[str, AttachmentKind] = {
    **dict.fromkeys(words("jpg jpeg png gif webp heic heif bmp"), "picture"),
    **dict.fromkeys(words("mp4 mov avi mkv 3gp webm m4v"), "video"),
    **dict.fromkeys(words("opus ogg mp3 m4a aac wav amr flac"), "audio"),
    "vcf": "contact",
}
_KINDS: dict[AttachmentKind, str] = {
    "picture": "image imagen imagem image immagine bild afbeelding foto photo sticker stickers "
    "figurinha gif изображение стикер resim görüntü çıkartma obraz bilde bild picture ملصق صورة "
    "תמונה 图片 圖片 貼圖 画像 사진",
    "video": "video vidéo vídeo videonotiz видео wideo فيديو וידאו 视频 影片 動画 동영상",
    "audio": "audio áudio аудио ses ljud lyd صوت 音频 音訊 音声 오디오",
    "document": "document documento dokument bestand документ belge مستند מסמך 文档 文件 ドキュメント 문서",
    "contact": "contact contacto contato contatto kontakt kontaktkarte contactkaart контакт kişi",
}
_OMITTED = (
    "omitted|omitid[oa]s?|omesso|omessa|omis(?:e|es)?|absente?|ocultad[oa]|ocult[oa]|weggelassen|"
    "ausgeschlossen|ausgelassen|weggelaten|пропущено|опущено|отсутствует|не включено|dahil edilmedi|"
    "pominięto|pominięta|utelämnades|utelämnat|utelatt|udeladt|non incluso|مستبعد|تم الاستبعاد|הושמט|"
    "已忽略|已略過|を除外|제외됨"
)
_MEDIA = (
    "Media omitted|Medien (?:ausgeschlossen|weggelassen)|(?:Multimedia|Archivo) omitido|"
    "Médias? omis|Fichier omis|Media omess[io]|Media non inclusi|Mídia (?:oculta|omitida)|"
    "Arquivo de mídia oculto|Ficheiro não revelado|Média omitida|Media weggelaten|"
    "Без медиафайлов|Файл пропущен|Medya (?:dahil edilmedi|atlanmış)|pominięto multimedia|"
    "Media utelämna[td]|Medier utelatt|Medieindhold udeladt|تم استبعاد الوسائط|המדיה לא נכללה|"
    "मीडिया छोड़ा गया|省略多媒體檔案|省略多媒体文件|媒体文件已忽略|メディアは含まれていません|"
    "미디어 파일 제외됨|미디어 파일을 제외한 내보내기|Media tidak disertakan|View once (?:voice )?message omitted"
)
_ATTACHED = (
    "file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato|arquivo anexado|"
    "ficheiro anexado|bestand bijgevoegd|файл добавлен|файл прикреплён|dosya ekli|plik dołączony|"
    "plik załączony|bifogad fil|bifogat|fil vedlagt|fil vedhæftet|الملف مرفق|מצורף קובץ|संलग्न फ़ाइल|"
    "檔案已附加|文件附件|文件已附加|ファイル添付|파일 첨부됨|file terlampir"
)
_ATTACHED_BEFORE = (
    "attached|Anhang|angehängt|adjunto|archivo adjunto|pièce jointe|joint|allegato|anexado|anexo|"
    "bijgevoegd|bijlage|прикреплено|вложение|ekli|ek|załącznik|bifogad|vedlagt|vedhæftet|مرفق|"
    "附件|添付ファイル|첨부"
)
_DELETED = (
    "This message was deleted|You deleted this message|This message was deleted by admin .+|"
    "Diese Nachricht wurde gelöscht|Du hast diese Nachricht gelöscht|"
    "Se eliminó este mensaje|Eliminaste este mensaje|Este mensaje fue eliminado|"
    "Ce message a été supprimé|Vous avez supprimé ce message|Mensagem apagada|"
    "(?:Essa|Esta) mensagem foi apagada|Você apagou esta mensagem|Apagou esta mensagem|"
    "Questo messaggio è stato eliminato|Hai eliminato questo messaggio|Dit bericht is verwijderd|"
    "(?:U hebt|Je hebt|Jij hebt) dit bericht verwijderd|Данное сообщение удалено|"
    "Вы удалили данное сообщение|Bu mesaj silindi|Bu mesajı sildiniz|Ta wiadomość została usunięta|"
    "تم حذف هذه الرسالة|ההודעה נמחקה|הודעה זו נמחקה|此訊息已刪除|此消息已删除|このメッセージは削除されました|"
    "삭제된 메시지입니다|Pesan ini dihapus"
)
_EDITED = (
    "This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje|"
    "Ce message a été modifié|Mensagem editada|(?:Essa|Esta) mensagem foi editada|"
    "Questo messaggio è stato modificato|Dit bericht is bewerkt|Данное сообщение изменено|"
    "Сообщение изменено|Bu mesaj düzenlendi|Ta wiadomość została zmieniona|تم تعديل هذه الرسالة|"
    "הודעה זו נערכה|此訊息已編輯|此消息已编辑|이 메시지는 수정되었습니다"
)
_EVENT = (
    "end-to-end encrypted|changed (?:the|this) (?:subject|group|community)|created (?:the )?group|"
    "changed (?:their|to a new) (?:phone )?number|security code|joined using|disappearing messages|"
    "missed (?:voice|video|group)|pinned a message|this group's icon|group description|"
    "now an admin|no longer an admin|business account|is a contact|blocked this contact|"
    "Ende-zu-Ende-verschlüsselt|den Betreff|die Gruppe|hat .+ hinzugefügt|"
    "cifrados? de extremo a extremo|el asunto|el grupo|añadió|chiffrés de bout en bout|le sujet|"
    "le groupe|criptografia de ponta|o assunto|o nome do grupo|o grupo|crittografia end-to-end|"
    "crittografati end-to-end|l'oggetto|il gruppo|end-to-end versleuteld|het onderwerp|de groep|"
    "сквозным шифрованием|изменил|создал|uçtan uca şifreli|端到端加密|端對端加密"
)
# Fixed phrases of languages other than English: their phones never write the month first.
_ENGLISH = re.compile(
    r"omitted|attached|This message was|You deleted|end-to-end encrypted", re.IGNORECASE
)

_FILE = r"[^<>\n/\\:*?\"|]{1,200}\.\w{1,5}"
MEDIA = re.compile(rf"<(?:{_MEDIA})>", re.IGNORECASE)
ATTACHED = re.compile(rf"(?P<name>{_FILE}) \((?:{_ATTACHED})\)", re.IGNORECASE)
ATTACHED_BEFORE = re.compile(
    rf"<(?:{_ATTACHED_BEFORE}) ?[:：] ?(?P<name>[^<>\n]{{1,200}})>", re.IGNORECASE
)
DELETED = re.compile(rf"(?:{_DELETED})[.。]?", re.IGNORECASE)
EDITED = re.compile(rf"\s*<(?:{_EDITED})[.。]?>$", re.IGNORECASE)
EVENT = re.compile(rf"(?:{_EVENT})", re.IGNORECASE)
_WORDS = "|".join(sorted({w for named in _KINDS.values() for w in words(named)}, key=len)[::-1])
_NAMED_OMITTED = re.compile(
    rf"(?:(?P<name>.{{1,200}}?\.\w{{1,5}})? ?(?:• ?\d+ \w+ ?)?)"
    rf"(?P<word>{_WORDS})(?: (?:card|note|once))? ?(?:{_OMITTED})[.]?",
    re.IGNORECASE,
)


def kind_of_file(name: str) -> AttachmentKind:
    """Return what an attached file is, by its extension."""
    extension = name.rpartition(".")[2].casefold()
    if name.casefold().startswith("stk-") or extension == "webp":
        return "picture"
    return _EXTENSIONS.get(extension, "document")


def omitted(line: str) -> tuple[AttachmentKind, str | None] | None:
    """Return the kind and the name of what a line says was left out, None for other lines.

    >>> omitted("Bild weggelassen"), omitted("lunch?")
    (('picture', None), None)
    """
    if MEDIA.fullmatch(line):
        return "other", None
    match = _NAMED_OMITTED.fullmatch(line)
    if match is None:
        return None
    word = match["word"].casefold()
    kind = next(kind for kind, named in _KINDS.items() if word in words(named.casefold()))
    return kind, match["name"]


def foreign(line: str) -> bool:
    """Tell whether a line is one of WhatsApp's fixed phrases in another language than English."""
    fixed = (MEDIA, DELETED, ATTACHED, ATTACHED_BEFORE, EDITED)
    known = any(pattern.search(line) for pattern in fixed) or omitted(line) or _NOTICE.search(line)
    return bool(known) and not _ENGLISH.search(line)


_NOTICE = re.compile(
    "Ende-zu-Ende-verschlüsselt|cifrados? de extremo a extremo|chiffrés de bout en bout|"
    "criptografia de ponta|crittografia end-to-end|crittografati end-to-end|"
    "end-to-end versleuteld|сквозным шифрованием|uçtan uca şifreli"
)
