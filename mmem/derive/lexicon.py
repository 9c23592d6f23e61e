"""Word lists of English that the reading of grammar rests on."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAN_VERBS = _set("plan intend promise decide arrange aim agree prepare schedule vow mean set")
WISH_VERBS = _set("want wish hope need dream desire long aspire like crave wanna wan")
GOING = _set("going gonna gon")
FUTURE = _set("will 'll wo shall sha ll")
WISHING_AUX = _set("would 'd")
POSSIBLE = _set("may might could can ca should must ought would 'd need dare")
LIKING_VERBS = _set("love enjoy like hate prefer dislike adore miss")
GERUND_VERBS = _set("start begin stop keep quit finish continue try practice")
SUPPOSING_VERBS = _set(
    "think guess hope believe suppose feel wish bet imagine doubt assume expect fear figure reckon"
    " seem look appear sound wonder pretend consider suspect pray want like love prefer dream"
)
SAYING_VERBS = _set(
    "say tell hear mention claim report read write announce explain answer reply add note state"
    " admit swear complain argue insist warn confirm shout whisper ask suggest recommend convince"
    " persuade assure"
)
KNOWING_VERBS = _set(
    "know realize realise see notice find remember learn discover show prove mean forget love"
    " appreciate understand regret recall make help watch"
)
HEDGES = _set(
    "maybe perhaps probably possibly apparently supposedly presumably hopefully potentially"
    " allegedly seemingly likely almost nearly"
)
CONDITIONS = _set("if unless whether once until till")
WHENEVER = _set("when whenever while as before after since")
CAUSES = _set("because since as cause cuz coz 'cause")
NEGATIONS = _set("not n't never no neither nor hardly barely rarely seldom nowhere")

IDLE_VERBS = _set(
    "thank bet guess mean suppose hope think believe wonder seem appear sound imagine wish let"
    " matter please welcome congratulate excuse sorry pray feel look doubt assume figure reckon"
    " expect agree hear sense rock deserve concern bother suck cease fail tend happen remind"
)
"""Verbs whose clauses say little about the world; they give no quadruple."""
VAGUE_NOUNS = _set(
    "thing things something anything everything nothing someone somebody anyone anybody everyone"
    " everybody nobody none one ones lot lots bit stuff way ways kind sort type part rest other"
    " others same it that this all both each some any many much more most few several another"
    " either neither luck word point sense case deal idea while time times what which who whom"
    " whose where when why how ton tons bunch couple number plenty yes no ok okay those these"
    " himself herself itself themselves myself yourself ourselves yourselves mine yours hers theirs"
    " ours his favor favour try shot look turn fact reason reminder front side top end"
)
"""Heads of phrases that name nothing by themselves."""
INTERJECTIONS = _set(
    "super thanks thank yep yup yeah yea yes nope no ok okay oh wow hey hi hello aw aww awww haha"
    " lol omg congrats sure well sorry please bye goodbye cheers gosh yay woah whoa ugh hmm ah"
    " alright right"
    " cool nice great awesome sounds guess glad absolutely definitely exactly btw plus hahaha god"
    " goodness damn cant thx ty np xoxo woohoo phew ouch oops"
)
CARRYING_VERBS = _set(
    "put keep set place leave turn throw base compare hold make find call lay drop stick render get"
    " consider name keep spend fill cover provide surround"
)
"""Verbs whose object says too little without what follows it ("keep the dog on a leash")."""
PURPOSE_VERBS = _set(
    "use buy bring build create start open organize organise host write design visit join attend"
    " hire save sell collect donate rent choose pick prepare plant cook bake paint book order wear"
)
"""Verbs after whose object "to" tells what for."""
DEGREES = _set("so very really quite pretty super extremely rather truly totally absolutely just")
DEICTIC = _set("this that these those such what which whatever whichever")
IDIOMS = frozenset(
    {
        ("make", "sense"), ("take", "care"), ("take", "place"), ("take", "look"), ("mean", "lot"),
        ("have", "idea"), ("have", "clue"), ("give", "shot"), ("keep", "mind"), ("bear", "mind"),
        ("keep", "track"),
        ("keep", "eye"), ("make", "difference"), ("take", "step"), ("go", "way"), ("make", "way"),
        ("hit", "spot"), ("cross", "finger"), ("keep", "finger"), ("take", "breath"),
        ("lose", "mind"), ("have", "guts"), ("do", "trick"), ("make", "point"), ("have", "point"),
        ("pull", "leg"), ("break", "leg"), ("make", "day"), ("blow", "mind"), ("have", "back"),
        ("get", "back"), ("get", "head"), ("wrap", "head"), ("give", "voice"),
        ("scare", "death"), ("take", "plunge"),
        ("say", "hi"), ("say", "hello"), ("stay", "tune"), ("stay", "touch"), ("keep", "touch"),
        ("go", "road"), ("be", "shoe"), ("be", "page"), ("be", "way"), ("be", "luck"),
        ("be", "love"), ("be", "rush"), ("be", "mood"), ("be", "air"), ("be", "heart"),
        ("be", "time"), ("be", "hand"), ("be", "mind"), ("be", "side"), ("be", "board"),
        ("be", "touch"), ("be", "edge"), ("be", "cloud"), ("be", "moon"), ("be", "fence"),
        ("be", "case"), ("be", "charge"), ("come", "mind"), ("come", "handy"),
        ("be", "first"), ("try", "hand"), ("be", "fire"),
        ("be", "roll"), ("be", "track"), ("be", "move"), ("be", "go"), ("be", "top"),
        ("be", "know"),
        ("be", "process"), ("be", "works"), ("be", "work"), ("be", "trouble"), ("be", "awe"),
    }
)  # fmt: skip
"""(Verb, noun) pairs that do not mean what they say."""
STATIVE_VERBS = _set(
    "have own love like enjoy hate prefer know live work belong contain include need want study"
    " teach speak understand believe remain weigh cost lack possess dislike adore support"
)
IDLE_ADJECTIVES = _set(
    "sure sorry glad ready able welcome right good fine okay ok curious certain aware wrong here"
    " there back due likely bound supposed willing set true available worth clear about unable"
    " gonna lucky hopeful down up out off over on in kidding serious honest happy great better"
    " more less into interested enough kind like unlike different same else close near far"
)
"""Complements of a person that say too little to be a fact."""
TRAITS = _set(
    "passionate interested fond keen allergic afraid good bad skilled fluent addicted drawn devoted"
    " dedicated committed used known responsible"
)
"""Adjectives that tell a lasting trait."""
PERSONAL_STATES = _set(
    "allergic pregnant married engaged single vegan vegetarian retired divorced bilingual fluent"
    " sick ill unemployed widowed deaf blind diabetic asthmatic"
)
FEELINGS = _set(
    "happy sad excited nervous proud glad angry upset anxious worried scared afraid grateful"
    " thankful thrilled stressed lonely relieved disappointed frustrated annoyed bored amused"
    " embarrassed ashamed jealous overwhelmed delighted pleased depressed hopeful hurt tired"
    " exhausted joyful content calm devastated heartbroken terrified furious blessed sorry love"
    " hate enjoy miss fear worry cry laugh smile surprised shocked confident swamped amazed"
)

FEMALE = _set(
    "sister mother mom mum mama daughter wife girlfriend aunt auntie grandmother grandma granny"
    " niece woman girl lady queen fiancee stepmother stepmom bride goddaughter mommy waitress"
    " actress stepsister godmother"
)
MALE = _set(
    "brother father dad papa son husband boyfriend uncle grandfather grandpa nephew man boy guy"
    " gentleman king fiance stepfather stepdad groom godson daddy waiter actor stepbrother"
    " godfather"
)
EITHER = _set(
    "friend colleague boss neighbor neighbour cousin partner teacher coach doctor therapist"
    " roommate"
    " manager coworker student child kid baby parent classmate teammate landlord mentor client"
    " patient dentist nurse lawyer professor trainer customer guest host captain supervisor"
    " counselor counsellor spouse sibling"
)
PERSON_NOUNS = (
    FEMALE
    | MALE
    | EITHER
    | _set(
        "friends family kids parents people everyone children guys team folks crew colleagues"
        " relatives grandparents band group class staff police dog cat pup puppy pet kitten"
    )
)
FEMALE_NAMES = _set(
    "mary anna anne ann emma olivia sophia maria melanie caroline sarah laura julia julie jane"
    " emily lisa linda susan karen nancy jessica jennifer amy angela rachel rebecca katie kate"
    " katherine catherine alice tasha lucia lucy priya maya elena elisa helen diana claire chloe"
    " hannah grace ella mia amelia charlotte isabella zoe victoria nina sandra donna carol ruth"
    " sharon michelle melissa kimberly stephanie nicole samantha heather megan lauren joanna"
    " deborah audrey gina eva leah molly natalie abigail sofia margaret martha rosa carmen ingrid"
    " katrina mel jolene maggie penny daisy bella luna sally betty dorothy erin tina"
)
MALE_NAMES = _set(
    "john james robert michael william david richard joseph thomas tom charles daniel matthew"
    " anthony mark paul steven steve andrew kenneth kevin brian george edward ronald jason jeffrey"
    " jeff ryan jacob jake gary nicholas nick eric jonathan jon stephen larry justin scott brandon"
    " benjamin ben samuel gregory greg frank raymond jack dennis jerry tyler aaron jose adam"
    " henry nathan peter zach kyle tomas luca marco carlos juan pedro ivan igor hans lars erik"
    " oliver liam noah ethan lucas mason logan max leo oscar felix hugo simon martin tim timothy"
    " bill bob joe mike dave dan matt chris rob jim jimmy johnny evan calvin patrick sean ian"
)

PLACE_NOUNS = _set(
    "home house apartment flat room bedroom kitchen bathroom garage garden yard backyard balcony"
    " porch attic basement hallway hall corridor stairs floor roof wall door window gate entrance"
    " exit table desk chair sofa couch bed shelf counter fridge oven stove cupboard drawer box bag"
    " backpack cart basket stool bench corner studio office desk workplace factory warehouse lab"
    " laboratory clinic hospital pharmacy school college university campus classroom library museum"
    " gallery theater theatre cinema stage stadium arena court gym pool track field pitch"
    " playground"
    " park zoo farm ranch barn forest woods mountain mountains hill lake river ocean sea beach"
    " coast"
    " shore island desert valley canyon waterfall trail path road street avenue highway bridge"
    " tunnel square plaza market supermarket mall shop store boutique bakery cafe restaurant"
    " bar pub"
    " club hotel motel hostel resort cabin tent camp campsite campground airport station platform"
    " port harbor harbour marina dock berth boat ship car bus train plane van truck bike city town"
    " village downtown suburb neighborhood neighbourhood country state county region area province"
    " continent world church temple mosque shrine cathedral chapel castle palace tower fort court"
    " courthouse bank embassy prison jail police shelter center centre salon spa sauna place spot"
    " site location venue building skyscraper lobby elevator parking lot garage driveway sidewalk"
    " lawn meadow countryside outdoors conference convention festival concert fair exhibition show"
    " party wedding parade workshop ceremony tournament event meeting class dentist doctor server"
    " screen whiteboard blackboard board sink plate bowl pot pan ground grass sand snow"
)
"""Nouns that name a place to be in, on or at."""
PLACE_PREPOSITIONS = _set(
    "in at on near into inside outside through around across beside behind under above below"
    " along between onto over past beyond opposite underneath atop by out toward towards to from"
)
PLACE_ADVERBS = _set(
    "here there home outside inside upstairs downstairs abroad downtown nearby away everywhere"
    " somewhere anywhere overseas indoors outdoors"
)
MUTUAL_NOUNS = _set(
    "friendship relationship conversation chat talk connection bond future community world country"
    " society planet life journey ancestor military troop nation mind"
)
"""What "our" shares out among many: it is not the speaker's."""
INFINITIVE_NOUNS = _set(
    "chance opportunity desire plan urge ability decision goal dream courage need attempt effort"
    " right permission promise time reason will intention wish"
)
"""Nouns that say too little without the infinitive after them ("a chance to win")."""
KIN_CALLED = _set("mom mum mama mommy dad daddy papa grandma grandpa granny auntie")
"""Kin without an article are the speaker's own ("Dad called")."""
PARTIAL_ROLES = _set(
    "fan rookie newbie beginner novice pro expert member part supporter believer mix lover hunt"
    " key proof sign example step source way form symbol result start"
)
"""What one is only of or in something, which has to be said."""
EACH_VERBS = _set(
    "go come visit see watch eat drink walk hike swim travel drive fly ride camp stay hear read"
    " attend explore meet have be spend talk chat climb adopt"
)
"""Verbs that are true of each one where they are said of "we"; with love and its like."""
UNBIDDEN_VERBS = _set("love like appreciate miss hope wish guess hate adore wanna gotta need want")
"""Verbs that are not ordered: without a subject they are the speaker's."""
FACTIVE_ADJECTIVES = _set(
    "glad happy great awesome cool nice amazing wonderful proud sad lovely incredible thankful"
    " grateful fantastic sweet surprised thrilled inspiring fun interesting funny good"
)
"""What one feels about a fact: the clause under it is granted."""
MAKING_VERBS = _set("get buy make cook bake find build draw paint knit sew order book play sing")
"""Verbs whose second object is the one for whom it is done."""
PERCEIVING_VERBS = _set("see hear smell notice find feel spot")
INTRANSITIVE_VERBS = _set("go come arrive sleep laugh smile happen sit stand exist talk speak")
MOTION_VERBS = _set(
    "go come move travel drive fly walk run return head get arrive bring take ride sail hike climb"
    " send put place walk step carry"
)
TIME_NOUNS = _set(
    "day week weekend month year morning afternoon evening night hour minute second today tomorrow"
    " yesterday tonight moment time decade century season summer winter spring fall autumn while"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december christmas easter halloween noon midnight"
    " thanksgiving lunch breakfast dinner lately childhood vacation holiday birthday age"
)
DATED_ADVERBS = _set("soon later recently lately currently nowadays earlier afterwards eventually")
HABITS = _set("always often usually sometimes daily weekly regularly frequently normally typically")
NO_MANNER = _set(
    "really actually probably finally recently only especially definitely certainly basically"
    " literally honestly seriously totally absolutely exactly simply obviously clearly currently"
    " nearly hardly barely unfortunately luckily fortunately hopefully mostly mainly usually"
    " apparently possibly particularly early daily weekly monthly surely truly extremely initially"
    " originally generally lately family previously immediately eventually ultimately personally"
    " incredibly supposedly likely completely occasionally rarely frequently regularly specifically"
    " thankfully sadly"
)
