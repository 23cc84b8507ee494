"""Files that are no tables are told by what they are, with what to do."""

import io
import zipfile

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError

BYTES = bytes(range(256)) * 20
OLD_OFFICE = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(2000)


def packed(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return content.getvalue()


def office(folder):
    return packed(**{"[Content_Types].xml": "<x/>", f"{folder}/document.xml": "<x/>"})


def stream(name):
    return OLD_OFFICE + name.encode("utf-16-le") + bytes(100)


OPEN_TEXT = "application/vnd.oasis.opendocument.text"
MAIL = b"From: a@b.c\r\nTo: d@e.f\r\nSubject: table\r\nMIME-Version: 1.0\r\n\r\nHello,\r\n"


@pytest.mark.parametrize(
    ("name", "content", "what", "advice"),
    [
        ("a.docx", office("word"), "a Word document", "paste it"),
        ("a.csv", office("word"), "a Word document", "paste it"),
        ("a.pptx", office("ppt"), "a PowerPoint presentation", "paste it"),
        ("a.odt", packed(mimetype=OPEN_TEXT), "a text document", "paste it"),
        ("a.doc", stream("WordDocument"), "a Word document", "paste it"),
        ("a.msg", stream("__substg1.0_0037001F"), "a mail", "attached"),
        ("a.eml", MAIL, "a mail", "attached"),
        ("a.pdf", b"%PDF-1.7\n" + BYTES, "a PDF document", "paste it"),
        ("a.rtf", b"{\\rtf1\\ansi Hello}", "a text document", "paste it"),
        ("a.jpg", b"\xff\xd8\xff\xe0" + BYTES, "a picture", "made from"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + BYTES, "a picture", "made from"),
        ("a.sqlite", b"SQLite format 3\0" + BYTES, "a database", "Export"),
        ("a.html", b"<html><body><p>No table here.</p></body></html>", "a page", "paste them"),
    ],
)
def test_what_a_file_is_and_what_to_do(name, content, what, advice):
    with pytest.raises(DataError, match=f"it is {what}.*{advice}"):
        inspect_table((name, content))


@pytest.mark.parametrize("first", ["ID3", "OggS", "RDX3", "From: city", "%PDF", "GIF"])
def test_names_of_columns_that_begin_like_other_files(first):
    lines = [f"{n % 7},{n % 5},{'yn'[n % 2]}" for n in range(30)]
    report = inspect_table(("t.csv", "\n".join([f"{first},b,y", *lines]).encode()))
    assert report.columns[0].name == first


def test_documents_beside_a_table_in_an_archive_do_not_hide_it():
    lines = "\n".join(["a,y", *(f"{n % 7},{'yn'[n % 2]}" for n in range(30))])
    content = packed(**{"word/readme.md": "read me", "t.csv": lines})
    assert inspect_table(("t.zip", content)).n_rows == 30
