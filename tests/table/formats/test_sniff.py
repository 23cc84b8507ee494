"""Text in many encodings: found, said, or named by a person."""

import pytest

from probtrees.errors import DataError, OptionError
from probtrees.table.formats.sniff import ENCODING_NAMES, find_codec
from tests.table.formats.raw import column, kinds, raw

TABLES = {
    "German": ("größe,färbung,y", ("grün", "weiß", "Käse", "Österreich", "Übermaß")),
    "French": ("âge,ville,y", ("Besançon", "Orléans", "Nîmes", "déçu", "Angoulême")),
    "Spanish": ("año,ciudad,y", ("Málaga", "Coruña", "León", "Cádiz", "Señor")),
    "Polish": ("wiek,miasto,y", ("Łódź", "Kraków", "Gdańsk", "Poznań", "mężczyzna", "płeć")),
    "Czech": ("věk,město,y", ("Plzeň", "České Budějovice", "Ústí nad Labem", "žena", "příjem")),
    "Russian": ("возраст,город,y", ("Москва", "Казань", "Екатеринбург", "Новосибирск")),
    "Greek": ("ηλικία,πόλη,y", ("Αθήνα", "Θεσσαλονίκη", "Πάτρα", "γυναίκα")),
    "Japanese": ("年齢,都市,y", ("東京都", "大阪府", "名古屋市", "女性", "男性")),
    "Chinese": ("年龄,城市,y", ("北京市", "上海市", "广州市", "女性", "男性")),
}
FOUND = [
    *((name, codec) for name in TABLES for codec in ("utf-8", "utf-16")),
    ("German", "cp1252"),
    ("French", "cp1252"),
    ("Spanish", "cp1252"),
    ("German", "mac-roman"),
    ("Polish", "cp1250"),
    ("Russian", "cp1251"),
    ("Greek", "cp1253"),
    ("Japanese", "cp932"),
    ("Chinese", "gb18030"),
]


def table(name: str) -> str:
    names, words = TABLES[name]
    return f"{names}\n" + "".join(f"{n},{words[n % len(words)]},a\n" for n in range(30))


@pytest.mark.parametrize(("name", "codec"), FOUND)
def test_words_arrive_as_they_were_written(name: str, codec: str) -> None:
    found = raw(("t.csv", table(name).encode(codec)))
    names, words = TABLES[name]
    assert ",".join(found.names) == names
    assert column(found, found.names[1])[: len(words)] == list(words)
    assert kinds(found) == ([] if codec == "utf-8" else ["encoding"])


@pytest.mark.parametrize("codec", ["cp1252", "cp1250", "cp1251", "mac-roman", "utf-16-le"])
def test_an_encoding_that_is_said(codec: str) -> None:
    text = "x,word\n1,äöü\n" if codec != "cp1251" else "x,word\n1,имя\n"
    found = raw(("t.csv", text.encode(codec)), encoding=codec)
    assert column(found, "word") == [text.rsplit(",", 1)[-1].strip()]
    assert ENCODING_NAMES.get(codec, codec.upper()) in found.findings[0].sentence


def test_names_of_encodings() -> None:
    assert [find_codec(name) for name in ("UTF8", "windows-1252", "Shift-JIS")] == [
        *("utf-8-sig", "cp1252"),
        find_codec("Shift-JIS"),
    ]
    with pytest.raises(OptionError, match="encoding='utf-99' must"):
        raw(["x,y", "1,a"], encoding="utf-99")
    with pytest.raises(DataError, match=r"line 2 of 't\.csv' must fit encoding='utf-8-sig'"):
        raw(("t.csv", b"x,y\n1,\xfc\n"), encoding="utf-8")


def test_a_letter_far_below_and_letters_that_fit_nothing() -> None:
    lines = ["x,word,y", *["1,b,a", "2,c,b"] * 10_000, "3,gr\xfcn,a"]
    assert column(raw(("t.csv", "\n".join(lines).encode("latin-1"))), "word")[-1] == "grün"
    patched = "x,word\n" + "1,größe\n" * 50
    found = raw(("t.csv", patched.encode() + b"2,gr\xfcn\n"))
    assert column(found, "word")[-2:] == ["größe", "gr\ufffdn"]
    assert found.findings[0].severity == "warning"
    assert "the first in line 52" in found.findings[0].sentence
