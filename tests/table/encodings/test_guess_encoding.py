"""Tables of many languages are read in the encoding that they were written in."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError, OptionError
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.encodings.guess_encoding import guess_encodings, lines_with_letters
from probtrees.table.encodings.known_encodings import find_encoding
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Finding
from tests.table.encodings.tables_by_language import LANGUAGES, WRITTEN_IN, table_of

TOWNS = "город"


def said_of_encoding(content: bytes, name: str = "t.csv", **options: str) -> Finding:
    findings = inspect_table((name, content), **options).findings  # type: ignore[arg-type]
    return next(finding for finding in findings if finding.kind == "encoding")


BY_LETTERS = [(language, codec) for language, codec in WRITTEN_IN if "utf" not in codec]


@pytest.mark.parametrize("n_rows", [6, 20, 500])
@pytest.mark.parametrize(("language", "codec"), BY_LETTERS)
def test_the_encoding_is_found_by_letters(language: str, codec: str, n_rows: int) -> None:
    text = table_of(language, n_rows)
    best = guess_encodings(lines_with_letters(text.encode(codec)))[0]
    assert text.encode(codec).decode(best.encoding.codec) == text


@pytest.mark.parametrize(("language", "codec"), WRITTEN_IN)
def test_every_word_is_read_as_it_was_written(language: str, codec: str) -> None:
    names, (_, towns, _) = LANGUAGES[language]
    _, town, _, _, target = names.split(";")
    content = table_of(language, 20).encode(codec)
    data = read_table(("table.csv", content), target, types={town: "nominal"})
    found = next(c for c in data.schema.columns if c.source_name == town)
    assert set(found.categories or ()) <= set(towns)
    assert any(note.startswith("Read as ") for note in data.provenance.notes)


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1252", "price\n12 €\n14 €\n"),
        ("cp1252", "a\nDon’t know\nCan’t say\n“quoted”\n"),
        ("cp1252", "a\nSeñor Muñoz\nPeña\n"),
        ("cp1252", "a\nMÜNCHEN\nKÖLN\n"),
        ("cp1252", "Arrêt\nOpérateur\nEmployé\nMédecin\nBénévole\nRetraité\nInfirmière blessée\n"),
        ("cp1252", "mois\nfévr.\naoût\ndéc.\n"),
        ("cp1250", "a\nférfi\nnő\n"),
        ("cp1250", "a\nŁÓDŹ\nKRAKÓW\n"),
        ("cp1254", "a\nEvet\nHayır\n"),
        ("cp1254", "a\nİSTANBUL\nMUĞLA\n"),
        ("cp1251", "a\nДА\nНЕТ\n"),
        ("cp1253", "a\nΝΑΙ\nΟΧΙ\n"),
        ("gbk", "a\n是\n否\n男\n女\n"),
        ("shift_jis", "a\nｶﾌﾞｼｷｶﾞｲｼｬ\nﾔﾏﾀﾞ ﾀﾛｳ\n"),
        ("euc_kr", "a\n예\n아니오\n"),
        ("mac_roman", "a\nFläche\nGröße\n"),
    ],
)
def test_a_few_words_are_enough(codec: str, text: str) -> None:
    content = text.encode(codec)
    best = guess_encodings(lines_with_letters(content))[0]
    assert content.decode(best.encoding.codec) == text


def test_the_encoding_is_said_with_words_and_others_are_a_click_away() -> None:
    content = table_of("Polish", 30).encode("cp1250")
    found = said_of_encoding(content)
    assert found.sentence.startswith(
        "Read as Central European (Windows-1250), as in 'imię', 'płeć'"
    )
    other = next(fix for fix in found.fixes if "Western (Windows-1252)" in fix.label)
    assert "'imiê'" in other.label
    mended = ReadOptions().with_fix(None, other.setting, other.value)
    wrong = said_of_encoding(content, **mended.arguments)
    assert wrong.sentence.startswith("Read as Western (Windows-1252), as in 'imiê'")
    back = wrong.fixes[-1]
    assert mended.with_fix(None, back.setting, back.value) == ReadOptions()


def test_words_that_two_encodings_write_alike_are_taken_for_the_more_frequent_one() -> None:
    content = "Bemerkung;Ziel\nRückruf Angehörige;ja\nsiehe Akte;nein\n".encode("cp1252")
    first, *others = guess_encodings(content)
    assert first.encoding.script == "Western"
    assert all(guess.words != first.words for guess in others)


def test_the_words_shown_are_those_that_encodings_have_otherwise() -> None:
    content = "a;b\nsérie;x\ntrès cher;y\nAoût;x\nvérifié;y\n".encode("cp1252")
    said = said_of_encoding(content)
    assert "as in 'très', 'Août', " in said.sentence
    central = next(fix.label for fix in said.fixes if "1250" in fix.label)
    assert "'Aoűt'" in central


def test_text_in_utf8_or_ascii_needs_no_word() -> None:
    for text in (table_of("Russian", 20), "a;b\n1;x\n2;y\n"):
        kinds = {finding.kind for finding in inspect_table(("t.csv", text.encode())).findings}
        assert "encoding" not in kinds


def test_other_formats_and_packed_files_are_decoded_alike() -> None:
    text = table_of("Russian", 20)
    names, *rows = (line.split(";") for line in text.splitlines())
    records = json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False)
    towns = sorted({row[1] for row in rows})
    declared = (
        f"@relation r\n@attribute {TOWNS} {{{','.join(towns)}}}\n@attribute y {{0,1}}\n@data\n"
    )
    arff = declared + "".join(f"{row[1]},{row[4]}\n" for row in rows)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("t.csv", text.encode("cp1251"))
    sources = {
        "t.json": records.encode("cp1251"),
        "t.arff": arff.encode("cp1251"),
        "t.zip": packed.getvalue(),
        "t.csv.gz": gzip.compress(text.encode("cp1251")),
    }
    for name, content in sources.items():
        data = read_table((name, content), types={TOWNS: "nominal"} if "arff" not in name else {})
        column = next(c for c in data.schema.columns if c.source_name == TOWNS)
        assert set(column.categories or ()) == set(towns), name
        assert any("Windows-1251" in note for note in data.provenance.notes), name


def test_letters_far_down_a_file_read_in_chunks_are_decoded_as_the_file_is(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    plain = "x;town;y\n" + "1;Brno;a\n2;Praha;b\n" * 40_000
    path.write_bytes((plain + "3;České Budějovice;a\n4;Plzeň;b\n" * 20_000).encode("cp1250"))
    table = open_chunks(str(path), memory="256MB")
    town = next(column for column in table.schema.columns if column.name == "town")
    assert set(town.categories or ()) == {"Brno", "Praha", "České Budějovice", "Plzeň"}
    assert any("Windows-1250" in note for note in table.provenance.notes)
    said = open_chunks(str(path), memory="256MB", encoding="cp1252")
    town = next(column for column in said.schema.columns if column.name == "town")
    assert "Èeské Budìjovice" in (town.categories or ())
    assert sum(len(rows.values) for rows in said.chunks()) == said.n_rows


def test_bytes_that_fit_no_encoding_are_shown_and_said() -> None:
    text = table_of("German", 40)
    content = text.encode() + b"K\xfcthe;Berlin;weiblich;1000;1\n"
    found = said_of_encoding(content)
    assert found.severity == "warning"
    assert "what fits no encoding (1 character, the first in line 42)" in found.sentence


def test_an_encoding_that_does_not_fit_is_refused_with_the_line() -> None:
    content = table_of("German", 40).encode("cp1252")
    with pytest.raises(DataError, match=r"line \d+ of 't.csv' must fit encoding='UTF-8'"):
        read_table(("t.csv", content), encoding="utf-8")
    with pytest.raises(OptionError, match="encoding='latin-99' must be the name of an encoding"):
        ReadOptions(encoding="latin-99")
    assert find_encoding("Shift_JIS").label == "Japanese (Shift-JIS)"


def test_a_model_reads_later_tables_in_their_own_encoding() -> None:
    learnt = read_table(("a.csv", table_of("Russian", 60).encode("cp1251")))
    later = ("b.csv", table_of("Russian", 20, seed=2).encode("koi8_r"))
    assert read_table(later, schema=learnt.schema).values.min() >= 0


def test_letters_that_were_spoilt_before_are_mended_by_a_click() -> None:
    towns = ["MÃ¼nchen", "KÃ¶ln", "GieÃŸen", "Ulm"]
    rows = "".join(f"{towns[n % 4]},{n % 7},{'ab'[n % 3 > 0]}\n" for n in range(80))
    source = ("t.csv", f"GrÃ¶ÃŸe,x,y\n{rows}".encode())
    (found,) = [f for f in inspect_table(source).findings if f.kind == "encoding"]
    assert "'GrÃ¶ÃŸe' is probably 'Größe'" in found.sentence
    (fix,) = found.fixes
    reading = ReadOptions().with_fix("", fix.setting, fix.value)
    again = inspect_table(source, **reading.arguments)
    assert sorted(again.column("Größe").examples) == ["Gießen", "Köln", "München"]
    plain = ("t.csv", "Größe,x,y\nKöln,1,a\nMünchen,2,b\n".encode())
    assert not [f for f in inspect_table(plain).findings if f.kind == "encoding"]
