"""Small tables as people of many languages have them: names, towns, answers, remarks."""

from __future__ import annotations

import random
from collections.abc import Sequence

LANGUAGES: dict[str, tuple[str, Sequence[Sequence[str]]]] = {
    "Russian": (
        "имя;город;пол;доход;заболел",
        (
            ("Иван", "Ольга", "Сергей", "Татьяна", "Дмитрий", "Наталья"),
            ("Москва", "Санкт-Петербург", "Казань", "Екатеринбург", "Новосибирск"),
            ("мужской", "женский"),
        ),
    ),
    "Ukrainian": (
        "ім'я;місто;стать;дохід;хворий",
        (
            ("Олексій", "Марія", "Андрій", "Юлія"),
            ("Київ", "Львів", "Харків", "Одеса"),
            ("чоловіча", "жіноча"),
        ),
    ),
    "Polish": (
        "imię;miasto;płeć;dochód;chory",
        (
            ("Łukasz", "Małgorzata", "Zofia", "Paweł", "Agnieszka"),
            ("Kraków", "Gdańsk", "Łódź", "Poznań", "Warszawa"),
            ("mężczyzna", "kobieta"),
        ),
    ),
    "Polish, few letters": (
        "imie;miasto;plec;dochod;chory",
        (("Anna", "Piotr", "Zofia"), ("Gdańsk", "Poznań", "Warszawa"), ("m", "k")),
    ),
    "Czech": (
        "jméno;město;pohlaví;příjem;nemocný",
        (
            ("Jiří", "Kateřina", "Tomáš", "Věra"),
            ("Plzeň", "Brno", "České Budějovice", "Ústí nad Labem"),
            ("muž", "žena"),
        ),
    ),
    "Hungarian": (
        "név;város;nem;jövedelem;beteg",
        (
            ("István", "Erzsébet", "László", "Zsófia"),
            ("Győr", "Szeged", "Pécs", "Miskolc"),
            ("férfi", "nő"),
        ),
    ),
    "Romanian": (
        "nume;oraş;sex;venit;bolnav",
        (
            ("Ştefan", "Ioana", "Mihai", "Ilinca"),
            ("Bucureşti", "Braşov", "Constanţa", "Timişoara"),
            ("bărbat", "femeie"),
        ),
    ),
    "Croatian": (
        "ime;mjesto;spol;prihod;bolestan",
        (("Željko", "Ivana", "Siniša"), ("Šibenik", "Karlovac", "Čakovec"), ("muško", "žensko")),
    ),
    "Turkish": (
        "ad;şehir;cinsiyet;gelir;hasta",
        (
            ("Ayşe", "Mehmet", "Gülşen", "Çağla"),
            ("İstanbul", "Eskişehir", "Diyarbakır", "Muğla"),
            ("erkek", "kadın"),
        ),
    ),
    "Greek": (
        "όνομα;πόλη;φύλο;εισόδημα;άρρωστος",
        (
            ("Γιώργος", "Μαρία", "Ελένη", "Νίκος"),
            ("Αθήνα", "Θεσσαλονίκη", "Πάτρα", "Ηράκλειο"),
            ("άνδρας", "γυναίκα"),
        ),
    ),
    "Hebrew": (
        "שם;עיר;מין;הכנסה;חולה",
        (("דוד", "רחל", "משה", "שרה"), ("ירושלים", "תל אביב", "חיפה"), ("זכר", "נקבה")),
    ),
    "Arabic": (
        "الاسم;المدينة;الجنس;الدخل;مريض",
        (("محمد", "فاطمة", "علي", "مريم"), ("القاهرة", "الرياض", "بغداد"), ("ذكر", "أنثى")),
    ),
    "Lithuanian": (
        "vardas;miestas;lytis;pajamos;serga",
        (("Jonas", "Rūta", "Živilė"), ("Šiauliai", "Panevėžys", "Klaipėda"), ("vyras", "moteris")),
    ),
    "Thai": (
        "ชื่อ;จังหวัด;เพศ;รายได้;ป่วย",
        (("สมชาย", "สุดา", "ประเสริฐ"), ("กรุงเทพ", "เชียงใหม่", "ขอนแก่น"), ("ชาย", "หญิง")),
    ),
    "simplified Chinese": (
        "姓名;城市;性别;收入;患病",
        (
            ("王伟", "李娜", "张敏", "刘洋"),
            ("北京", "上海", "广州", "重庆"),
            ("男", "女"),
        ),
    ),
    "traditional Chinese": (
        "姓名;縣市;性別;收入;患病",
        (("陳志明", "林淑芬", "黃俊傑"), ("臺北市", "高雄市", "新竹縣"), ("男", "女")),
    ),
    "Japanese": (
        "氏名;都道府県;性別;年収;罹患",
        (
            ("佐藤 健", "鈴木 さくら", "高橋 ひろし", "田中 ユミ"),
            ("東京都", "大阪府", "北海道", "福岡県"),
            ("男性", "女性"),
        ),
    ),
    "Korean": (
        "이름;도시;성별;소득;질병",
        (("김민수", "이서연", "박지훈", "최유진"), ("서울", "부산", "대전"), ("남자", "여자")),
    ),
    "German": (
        "Name;Ort;Geschlecht;Einkommen;krank",
        (
            ("Jürgen", "Käthe", "Björn", "Anna"),
            ("Köln", "München", "Gießen", "Berlin"),
            ("männlich", "weiblich"),
        ),
    ),
    "German with guests": (
        "Name;Ort;Geschlecht;Einkommen;krank",
        (("José", "Anaïs", "Björn"), ("Köln", "Genève", "Århus"), ("m", "w")),
    ),
    "French": (
        "prénom;ville;sexe;revenu;malade",
        (
            ("François", "Hélène", "Benoît"),
            ("Orléans", "Besançon", "Nîmes", "Angoulême"),
            ("homme", "femme"),
        ),
    ),
    "Spanish": (
        "nombre;ciudad;sexo;ingreso;enfermo",
        (
            ("José", "María", "Begoña", "Iñigo"),
            ("Cádiz", "León", "A Coruña", "Málaga"),
            ("varón", "mujer"),
        ),
    ),
    "Portuguese": (
        "nome;cidade;sexo;salário;doente",
        (("João", "Conceição", "Inês"), ("São Paulo", "Brasília", "Évora"), ("homem", "mulher")),
    ),
    "Swedish": (
        "namn;ort;kön;inkomst;sjuk",
        (("Åsa", "Göran", "Märta"), ("Malmö", "Västerås", "Umeå"), ("man", "kvinna")),
    ),
    "Danish": (
        "navn;by;køn;indkomst;syg",
        (("Søren", "Kåre", "Mette"), ("Ålborg", "Næstved", "Køge"), ("mand", "kvinde")),
    ),
    "Icelandic": (
        "nafn;staður;kyn;tekjur;veikur",
        (
            ("Þórður", "Guðrún", "Ásgeir"),
            ("Reykjavík", "Hafnarfjörður", "Ísafjörður"),
            ("karl", "kona"),
        ),
    ),
}
"""By language: the names of the columns, and what some of them hold."""

WRITTEN_IN: tuple[tuple[str, str], ...] = (
    ("Russian", "cp1251"),
    ("Russian", "koi8_r"),
    ("Russian", "cp866"),
    ("Ukrainian", "cp1251"),
    ("Polish", "cp1250"),
    ("Polish", "iso8859-2"),
    ("Polish, few letters", "cp1250"),
    ("Czech", "cp1250"),
    ("Hungarian", "cp1250"),
    ("Romanian", "cp1250"),
    ("Croatian", "cp1250"),
    ("Turkish", "cp1254"),
    ("Greek", "cp1253"),
    ("Hebrew", "cp1255"),
    ("Arabic", "cp1256"),
    ("Lithuanian", "cp1257"),
    ("Thai", "cp874"),
    ("simplified Chinese", "gbk"),
    ("simplified Chinese", "gb18030"),
    ("traditional Chinese", "big5"),
    ("Japanese", "shift_jis"),
    ("Japanese", "euc_jp"),
    ("Korean", "euc_kr"),
    *((language, "mac_roman") for language in ("German", "French", "Spanish", "Portuguese")),
    ("German", "cp850"),
    *(
        (language, "cp1252")
        for language in (
            "German",
            "German with guests",
            "French",
            "Spanish",
            "Portuguese",
            "Swedish",
            "Danish",
            "Icelandic",
        )
    ),
    *((language, "utf-16-le") for language in ("Russian", "simplified Chinese", "German")),
    *((language, "utf-16-be") for language in ("Greek", "Japanese")),
)
"""Which languages are tried in which encodings."""


def table_of(language: str, n_rows: int, seed: int = 1) -> str:
    """Write a table of a language."""
    names, columns = LANGUAGES[language]
    chance = random.Random(seed)
    lines = [names]
    for _ in range(n_rows):
        cells = [chance.choice(values) for values in columns]
        lines.append(";".join([*cells, str(chance.randint(900, 9000)), chance.choice("10")]))
    return "\n".join(lines) + "\n"
