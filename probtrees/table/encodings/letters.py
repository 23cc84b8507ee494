"""How often letters outside ASCII stand in texts of a language, as far as encodings need to know.

A Latin alphabet is told by its further letters, each with its share of all letters in percent; a
script of its own by its letters, the most frequent ones first; Chinese, Japanese and Korean by
their most frequent characters. The numbers are rounded: they need only tell languages apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

_CAPITALS = 0.15
"""How often a letter is a capital, compared with how often it is small, as in names."""


@dataclass(frozen=True)
class Alphabet:
    """The letters of a language that ASCII lacks.

    Attributes
    ----------
    shares : by small letter, in percent of all letters
    followed_by : letters that only stand before certain others
    """

    shares: Mapping[str, float]
    followed_by: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def logs(self) -> dict[str, float]:
        """The logarithm of how frequent each letter is, small and capital."""
        found = {}
        for letter, share in self.shares.items():
            found[letter.upper()] = math.log(_CAPITALS * share / 100)
        for letter, share in self.shares.items():
            found[letter] = math.log(share / 100)
        return found

    @cached_property
    def log_of_plain(self) -> float:
        """The logarithm of how frequent the letters of ASCII are; 0 in a script of its own."""
        share = sum(self.shares.values()) / 100
        return math.log(1 - share) if share < 0.5 else 0.0


def _latin(shares: str, **followed_by: str) -> Alphabet:
    words = shares.split()
    pairs = zip(words[::2], map(float, words[1::2]), strict=True)
    return Alphabet(dict(pairs), followed_by)


def _script(by_frequency: str, rare: str = "") -> Alphabet:
    """Spread 100 % over the letters of a script: the k-th has a share like 1 / (k + 4)."""
    weights = [1 / (k + 4) for k in range(len(by_frequency))]
    shares = {
        letter: 100 * weight / sum(weights)
        for letter, weight in zip(by_frequency, weights, strict=True)
    }
    return Alphabet({**shares, **dict.fromkeys(rare, 0.1)})


_VOWELS = "aeiouáéíóú"

WESTERN: dict[str, Alphabet] = {
    "German": _latin("ä 0.6 ö 0.4 ü 0.7 ß 0.3 é 0.02"),
    "French": _latin(
        "é 2.0 è 0.35 à 0.5 ê 0.25 ç 0.1 ô 0.06 â 0.05 î 0.05 û 0.06 ù 0.06 ï 0.01 ë 0.02 œ 0.02"
    ),
    "Spanish": _latin("ó 1.3 í 1.2 á 1.0 é 0.8 ñ 0.5 ú 0.3 ü 0.02", ñ=_VOWELS),
    "Portuguese": _latin(
        "ã 0.8 ç 0.5 é 0.35 á 0.3 ó 0.3 ê 0.35 í 0.2 õ 0.1 ú 0.15 â 0.1 à 0.1 ô 0.05",
        ã="oes",
        õ="e",
        ç="aãoõuáóú",
    ),
    "Italian": _latin("à 0.6 è 0.3 ò 0.2 ù 0.15 ì 0.1 é 0.1"),
    "Catalan": _latin("à 0.6 é 0.5 è 0.3 ó 0.5 ò 0.2 í 0.4 ú 0.15 ç 0.15 ï 0.05 ü 0.05"),
    "Danish": _latin("æ 0.9 ø 0.9 å 1.2 é 0.05 ö 0.03 ä 0.03"),
    "Swedish": _latin("ä 1.8 å 1.3 ö 1.3 é 0.05 ü 0.03"),
    "Finnish": _latin("ä 3.6 ö 0.5 å 0.05 é 0.01 š 0.01"),
    "Icelandic": _latin("ð 4.4 á 1.8 í 1.6 þ 1.5 ó 1.0 æ 0.9 ö 0.8 é 0.6 ú 0.6 ý 0.2"),
    "several": Alphabet(
        dict.fromkeys("äöüßéèêëàâçôîïûñóíáúãõåæøìòù", 0.25), {"ñ": _VOWELS, "ã": "oes", "õ": "e"}
    ),
    "Dutch": _latin("ë 0.1 é 0.05 ï 0.05 ö 0.02 ü 0.02"),
}
TURKISH = {"Turkish": _latin("ı 5.1 ş 1.8 ğ 1.1 ü 1.9 ç 1.1 ö 0.8 İ 0.6 â 0.02 î 0.01")}

CENTRAL: dict[str, Alphabet] = {
    "Polish": _latin("ł 1.8 ą 1.0 ę 1.1 ó 0.85 ż 0.8 ś 0.7 ć 0.4 ń 0.25 ź 0.06"),
    "Czech": _latin(
        "í 3.2 á 2.2 ě 1.6 é 1.3 ř 1.2 č 1.0 ý 1.1 ž 1.0 š 0.8 ů 0.7 ú 0.15 ň 0.1 ť 0.05 ď 0.05 "
        "ó 0.03"
    ),
    "Slovak": _latin(
        "á 1.8 é 0.9 í 1.1 č 1.0 ž 1.0 š 0.8 ý 1.1 ú 0.9 ľ 0.4 ť 0.5 ň 0.3 ď 0.2 ô 0.2 ä 0.1 ó 0.1 "
        "ĺ 0.02 ŕ 0.02"
    ),
    "Hungarian": _latin("á 3.6 é 3.3 ö 1.0 ó 1.0 ő 0.9 ü 0.6 í 0.6 ú 0.3 ű 0.2"),
    "Romanian": _latin("ă 2.4 î 0.9 ş 1.0 ţ 1.1 ș 1.0 ț 1.1 â 0.9"),
    "Croatian": _latin("č 1.0 š 1.2 ž 0.9 ć 0.8 đ 0.3"),
    "Albanian": _latin("ë 6.0 ç 0.5"),
}
BALTIC: dict[str, Alphabet] = {
    "Lithuanian": _latin("ė 1.7 š 1.3 ų 1.3 ž 0.9 ą 0.8 į 0.6 č 0.5 ū 0.5 ę 0.25"),
    "Latvian": _latin("ā 3.9 ī 1.9 ē 1.6 š 1.0 ū 0.5 ņ 0.5 ļ 0.4 ž 0.4 ķ 0.25 č 0.15 ģ 0.2"),
    "Estonian": _latin("ä 1.0 õ 1.0 ü 0.7 ö 0.25 š 0.02 ž 0.02"),
}
CYRILLIC: dict[str, Alphabet] = {
    "Russian": _script("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф", "ъё№"),
    "Ukrainian": _script("оаниіветрскулмпдязьбгчйхцжїюшєщф", "ґ№"),
    "Bulgarian": _script("аоиетнрсвлкдпмзъугяцчбщжхшйюфь", "№"),
    "Serbian": _script("аиоенрсјтукмвдпљзгбњћчжшцхђфџ"),
}
GREEK = {"Greek": _script("αοιετνσηυρπκμλςάίόέγδωχήθφύβώξζψ", "ϊϋΐΰ")}
HEBREW = {"Hebrew": _script("יוהלאתרבמשנדעקחפטגםסזכןצךףץ")}
ARABIC = {"Arabic": _script("اليمنرتوبةعدسفهكقحجأشطصىخضإذزثءئغظآؤ", "پچژگ،")}
THAI = {"Thai": _script("านรอกเงมยลวดทสตะปบคหแจพชขใไโผซถศณภษธญฐฝฟ่้ัีิืุู็์ำ", "ๆฯฮฬฏฎฆ")}

HANZI_SIMPLE = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道"
    "行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意"
    "无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什"
    "二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义"
    "各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金"
    "指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求"
    "据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔城州京省县店号姓男龄龙岁婚是否额款价"
    "购买客户病科医院状态类型编号备注收入职业学历城区备湖广江苏浙川陕武汉杭成都深圳沈阳李刘陈杨赵黄周吴"
)
HANZI_TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道"
    "行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意"
    "無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什"
    "二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義"
    "各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金"
    "台灣臺北高雄縣區路街號姓男齡歲婚否額款價購買客戶病醫院狀態類型編號備註收入職業歷林陳黃張李王吳劉蔡楊許鄭"
)
KANJI = frozenset(
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場"
    "金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性"
    "的要用制治度務強気小七成期公持野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権"
    "心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信"
    "策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢"
    "減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援"
    "供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹"
    "独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義"
    "性別氏名住所番号年齢職業結果未回答購入顧客区分東京大阪福岡札幌横浜神戸仙台広島京都佐鈴木高橋渡辺伊山村林"
)
HANGUL = frozenset(
    "이다의는에을가고한를하은로지사자도기서나인대일시정어라해그으수리원과있제부아보전연성주장상들게동관적여요공"
    "경구국스조만내신학생위비면용유금계방안화소간산세자말무문모실발물진선차현물치개업단교회영년월오중반마거와"
    "명더우식입결려않없때른것된될됨함할합니습된다까지며면서울부산대구인천광주대전울세종강원충북남전라경제주별"
    "여남성이름나이직업주소번호날짜등급예아니오미혼기혼김박최정강조윤장임한오서신권황안송류전홍고문양손배백허"
    "매출고객상품가격구입금액합계수량노트북텔레비전트블드프크러스타터미디카파코토포하호후태추처체출통특평필"
    "두루로르림립막망매머메목몰미민바박번벌범법변별병복본봄분불브빈빌사삼새색속순술숙승씨야약양언얼역열염옥온"
)

FREQUENT_WORDS = frozenset(
    [
        "não",
        "são",
        "também",
        "você",
        "até",
        "está",
        "três",
        "mês",
        "há",
        "sí",
        "más",
        "año",
        "años",
        "niño",
        "niña",
        "señor",
        "género",
        "también",
        "où",
        "à",
        "août",
        "décembre",
        "févr",
        "février",
        "très",
        "été",
        "après",
        "même",
        "âge",
        "région",
        "catégorie",
        "für",
        "über",
        "männlich",
        "größe",
        "straße",
        "jährlich",
        "ungültig",
        "più",
        "età",
        "città",
        "è",
        "perché",
        "på",
        "från",
        "är",
        "även",
        "år",
        "mænd",
        "kvinde",
        "får",
        "både",
        "også",
    ]
)
"""Words of Western languages that tables are full of: one of them says more than its letters."""
