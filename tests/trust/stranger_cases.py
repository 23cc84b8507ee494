"""Strangers' pages, masked reports, networks of others, planted kernels: variants by chance.

What was once found by hand in one form is tried here in as many forms as there is time for.
"""

import os
import random
import re
import resource
import stat
from functools import cache
from pathlib import Path
from unittest.mock import patch

from probtrees.errors import ProbTreesError
from probtrees.experiment.fit import fit
from probtrees.machine.kernel_cache import private_folder
from probtrees.model.networks.dense_network import dense_network
from probtrees.model.networks.network_file import NETWORK_FORMATS, NetworkFormat, parse_network
from tests.app.test_request_origin import ask
from tests.report.test_masking import check_worlds
from tests.small_tables import patients
from tests.trust.bad_files import BadFile
from tests.trust.hostile_models import damaged
from tests.trust.journey import Step, check_sentence, demand

_OWN = ("localhost", "127.0.0.1", "[::1]", "a.example.org")
_NAMES = (*_OWN, "evil.example", "LOCALHOST", "10.1.1.1")
_PORTS = ("", ":80", ":443", ":8501", ":8739")
_SCHEMES = ("http://", "https://", "ws://", "file://", "null", "", "http:/", "javascript:")
_TAILS = ("", "", "", "/", ".evil.example", "@evil.example", ":1", "#", " ", "\\evil.example")


def origin_case(chance: random.Random, number: int) -> BadFile:
    """Draw the host that is asked for and the page that asks, as a line."""
    host = chance.choice(_NAMES) + chance.choice(_PORTS) + chance.choice(_TAILS)
    same = chance.random() < 0.4
    page = host if same else chance.choice(_NAMES) + chance.choice(_PORTS) + chance.choice(_TAILS)
    return BadFile("origin", f"{host}\t{chance.choice(_SCHEMES)}{page}", b"")


def origin_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Ask as that page; who is let in must be the server's own, host and port."""
    host, origin = file.name.split("\t")
    step(file.name)
    for kind in ("http", "websocket"):
        first = ask(kind, ("a.example.org",), host=host, origin=origin)[0]
        is_in = first.get("status") == 200 or first["type"] == "websocket.accept"
        demand(not is_in or _is_own(host, origin), f"{origin} was let in to {host} by {kind}")
        plain = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\]):8501", host)
        demand(is_in or not plain or origin != f"http://{host}", f"its own page of {host} was not")
    return "result"


def _is_own(host: str, origin: str) -> bool:
    """Whether a page is the server's own, told by a plain pattern instead of a parser."""
    found = re.fullmatch(r"(https?)://([^/@#\s\\]+?)(:\d+)?", origin.lower())
    if not found:
        return False
    usual = {"http": ":80", "https": ":443"}[found[1]]
    place = found[2] + ("" if found[3] in (None, usual) else found[3])
    named = re.sub(rf"{usual}$", "", host.lower())
    allowed = place == "a.example.org"
    return allowed or (place == named and re.sub(r":\d+$", "", named) in _OWN)


def mask_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Mask tables, and list what the report and its rule leave possible."""
    seed = chance.randrange(1 << 30)
    step(f"seed {seed}")
    check_worlds(10, seed=seed)
    return "result"


def network_case(chance: random.Random, number: int) -> BadFile:
    """Damage a network file of any format, or promise more than there is."""
    form = chance.choice(NETWORK_FORMATS)
    suffix = chance.choice((*form.suffixes, ".uai", ".dsl"))
    content = _network_file(form)
    if chance.random() < 0.3:
        sizes = [chance.choice((2, 9, 9999, 20_000, 1 << 31)) for _ in range(chance.randint(1, 40))]
        content = f"BAYES\n{len(sizes)}\n{' '.join(map(str, sizes))}\n1\n".encode()
        return BadFile("network", "promise.uai", content)
    for _ in range(chance.randint(1, 3)):
        content = damaged(chance, content) or content
    if chance.random() < 0.3:  # a number with more digits: longer tables, more values, more nodes
        digits = str(chance.choice((99, 99_999, 1 << 40))).encode()
        content = re.sub(rb"\b\d\b", digits, content, count=1)
    return BadFile("network", f"damaged{suffix}", content)


@cache
def _network_file(form: NetworkFormat) -> bytes:
    return form.write(dense_network(fit(patients(40), "nb", "laplace")))


def network_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Read a network: its tables, or a sentence, within the memory that is promised."""
    step(file.name)
    try:
        network = parse_network(file.name, file.content)
        for table in network.tables:
            # A file's digits are kept as written; answers are divided by their sum.
            demand(bool(abs(table.probs.sum(axis=-1) - 1).max() <= 0.01), "a row sums to something")
        ended = "result"
    except ProbTreesError as problem:
        check_sentence(problem)
        ended = "sentence"
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    demand(most < 2 << 20, f"a process that reads took {most >> 10} MiB")
    return ended


def kernel_case(chance: random.Random, number: int) -> BadFile:
    """Draw how deep a file lies among kernels, and what is wrong with it."""
    names = [f"k{chance.randrange(9)}" for _ in range(chance.randint(1, 5))]
    fault = chance.choice(("owner", "link", "owner of a folder", "none"))
    return BadFile(fault, "/".join(names) + chance.choice((".nbi", ".nbc", "")), b"")


def kernel_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Look for a folder of kernels in which somebody has planted something."""
    step(f"{file.kind} {file.name}")
    place = folder / "cache"
    found = private_folder("kernels", place)
    demand(found is not None, "no folder was made")
    planted = folder / "cache" / "kernels" / file.name
    planted.parent.mkdir(parents=True, exist_ok=True)
    if file.kind == "link":
        (folder / "code").write_text("")
        planted.symlink_to(folder / "code")
    else:
        planted.write_text("")
    of_others = {"owner": planted, "owner of a folder": planted.parent}.get(file.kind)
    lstat = Path.lstat

    def changed(asked: Path) -> os.stat_result:
        seen = list(lstat(asked))
        seen[stat.ST_UID] += asked == of_others
        return os.stat_result(seen)

    with patch.object(Path, "lstat", changed):
        again = private_folder("kernels", place)
    demand((again is None) == (file.kind != "none"), f"used in spite of: {file.kind}")
    return "result"
