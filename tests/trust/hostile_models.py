"""Model files that were tampered with, cut off, or never were models."""

import copy
import gzip
import json
import random
from functools import cache
from typing import Any

from probtrees.experiment.fit import fit
from tests.small_tables import patients
from tests.trust.bad_files import BadFile
from tests.trust.odd_cells import flip

_MODELS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("c45", "laplace", {}),
    ("c45", "hgs", {}),
    ("c45", "shrinkage", {"routing": "soft"}),
    ("c45", "m-branch", {"as_published": True}),
    ("kdb", "hgs", {}),
    ("nb", "m-estimate", {}),
    ("aode", "mle", {}),
    ("forest", "blend", {}),
)

_VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 10**6, 2**31, 2**63, 10**30,
    10**400, 0.5, -0.5, 1e308, -1e308,
    5e-324, "", "x", "nan", "inf", "-inf",
    "<script>alert(1)</script>", "../../etc/passwd", [], [[]],
    [1], [None], ["x"], {}, {"x": 1}, {"array": [1], "shape": [1], "dtype": "float64"},
    {"array": [], "shape": [2**40, 0], "dtype": "int64"},
    {"array": "x", "shape": 3, "dtype": "bool"},
    {"array": [1], "shape": [1.5], "dtype": []},
)  # fmt: skip


@cache
def _records() -> tuple[str, ...]:
    data = patients(60)
    models = (fit(data, learner, smoother, **more) for learner, smoother, more in _MODELS)
    return tuple(json.dumps(model.to_dict()) for model in models)


def hostile_model(chance: random.Random) -> BadFile:
    """Draw a model file: entries replaced, removed, reordered, or the text itself damaged."""
    record = json.loads(chance.choice(_records()))
    kind = chance.choices(
        ("entry replaced", "entry removed", "list changed", "damaged text", "not a model"),
        (40, 10, 20, 15, 5),
    )[0]
    if kind == "damaged text":
        return BadFile(kind, "m.json", damaged(chance, json.dumps(record).encode()))
    if kind == "not a model":
        return BadFile(kind, "m.json", _strange(chance))
    change = {"entry replaced": _replace, "entry removed": _remove, "list changed": _reorder}[kind]
    for _ in range(chance.choice((1, 1, 1, 3, 10))):
        change(chance, record)
    return BadFile(kind, "m.json", json.dumps(record).encode())


def _places(value: Any, wanted: type) -> list[Any]:
    """List the containers of a type in a record, each as often as any other."""
    found = [value] if isinstance(value, wanted) and value else []
    entries = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        for entry in entries:
            found += _places(entry, wanted)
    return found


def _somewhere(chance: random.Random, record: Any) -> tuple[Any, Any]:
    """Choose a container and a key or position in it; lists of numbers are many, so by halves."""
    container = chance.choice(_places(record, chance.choice((dict, list))))
    key = chance.choice(list(container) if isinstance(container, dict) else range(len(container)))
    return container, key


def _replace(chance: random.Random, record: Any) -> None:
    container, key = _somewhere(chance, record)
    old = container[key]
    if isinstance(old, int | float) and abs(old) < 1e300 and chance.random() < 0.5:
        container[key] = chance.choice((old + 1, old - 1, -old, old * 2, old + 0.5, old * 1e300))
    else:
        container[key] = copy.deepcopy(chance.choice(_VALUES))


def _remove(chance: random.Random, record: Any) -> None:
    container, key = _somewhere(chance, record)
    del container[key]


def _reorder(chance: random.Random, record: Any) -> None:
    lists = _places(record, list)
    if not lists:
        return
    numbers = chance.choice(lists)
    kind = chance.randrange(5)
    if kind == 0:
        chance.shuffle(numbers)
    elif kind == 1:
        numbers.append(copy.deepcopy(numbers[-1]))
    elif kind == 2:
        numbers.pop()
    elif kind == 3:
        numbers[:] = [copy.deepcopy(numbers[0])] * len(numbers)
    else:
        numbers.reverse()


def damaged(chance: random.Random, content: bytes) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return content[: chance.randrange(len(content))]
    if kind == 1:
        return flip(chance, content, 1, 1, 10)
    if kind == 2:
        packed = bytearray(gzip.compress(content, mtime=0))
        packed[chance.randrange(2, len(packed))] ^= 1 << chance.randrange(8)
        return bytes(packed)
    if kind == 3:
        return content.replace(b"[", b"[" * chance.choice((2, 2000)), 1)
    return content.replace(
        b"1.0", chance.choice((b"NaN", b"Infinity", b"9" * 5000, b"1e999", b"-"))
    )


def _strange(chance: random.Random) -> bytes:
    depth = chance.choice((900, 5000, 200_000))
    return chance.choice(
        (
            b"", b"{}", b"[]", b"null", b'"x"', b"{" * depth,
            b'{"a":' * depth + b"1" + b"}" * depth,
            b'{"format": "probtrees-model"}', b'{"format": "probtrees-model", "version": 1}',
            b"[" * depth + b"]" * depth,
            b"\x80\x04\x95cos\nsystem\n.", gzip.compress(b"{}", mtime=0),
            gzip.compress(b" " * 60_000_000, 1, mtime=0),
            b'{"a":' + b"9" * 10_000 + b"}", b"\xff\xfe{}",
        )
    )  # fmt: skip
