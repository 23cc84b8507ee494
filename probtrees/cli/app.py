"""Open the web app in a browser; the server stops with Ctrl-C."""

from __future__ import annotations

import argparse
import importlib
import ipaddress
import os
import re
from collections.abc import Sequence
from typing import Any

from probtrees.cli.console import Console
from probtrees.cli.parser import add_field, declare
from probtrees.errors import OptionError
from probtrees.experiment.warm_up import compile_in_background
from probtrees.machine.limits import ALLOW_PATHS, ServerLimits, variable
from probtrees.options import option_fields

EXAMPLES = """\
examples:
  probtrees app
  probtrees app --port 8600
  probtrees app --max-upload 50 --max-rows 100000
  probtrees app --allow-paths /data/sales
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    declare(
        parser,
        """
        --port PORT  port to listen on (8501)
        --address IP  address to listen on; 0.0.0.0 lets other machines in (127.0.0.1)
        --allow-host NAME*  a name by which others reach this server, such as that of a proxy; may
            be given again (default: localhost, and addresses if --address lets other machines in)
        --embed-in SITE*  a site whose pages may show the app in a frame, such as
            https://course.example.org; may be given again (default: none)
        --headless  do not open a browser, only serve
        --allow-paths DIR  let people name files in DIR on this machine, for tables too large to
            upload; nothing outside DIR can be read (default: no file can be named)
        """,
    )
    parser.add_argument(
        "--keep",
        action=argparse.BooleanOptionalAction,
        help="keep uploaded tables for a day in this user's cache folder, so that a reload or\n"
        "a restart brings them back (default: only if no other machine is let in)",
    )
    group = parser.add_argument_group(
        "what one visitor may ask for", "each can also be set as PROBTREES_MAX_ROWS and so on"
    )
    for field in option_fields(ServerLimits):
        add_field(group, field, flag=f"--max-{field.name}", raw=True)


def run(args: argparse.Namespace, console: Console) -> None:
    """Start the server in this process.

    So stopping it stops everything, and the app knows the smoothers registered before.
    """
    _check_address(args.address)
    sites = _sites(args.embed_in or ())
    _allow_paths(args.allow_paths)
    limits = _set_limits(args)
    os.environ["PROBTREES_KEEP"] = "1" if _keeps(args) else "0"
    os.environ["PROBTREES_ADDRESS_GIVEN"] = "0" if args.address is None else "1"
    config: dict[str, Any] = {
        "browser.gatherUsageStats": False,
        "server.maxUploadSize": limits.upload,
    }
    if args.address is not None or "STREAMLIT_SERVER_ADDRESS" not in os.environ:
        config["server.address"] = args.address or "127.0.0.1"
    if args.port is not None:
        config["server.port"] = args.port
    if args.headless:
        config["server.headless"] = True
    compile_in_background()
    # Imported here: other commands need not wait for the app's packages.
    importlib.import_module("probtrees.ui.server").serve(config, args.allow_host or (), sites)


def _sites(given: Sequence[str]) -> list[str]:
    """Check the sites that may embed the app: they are written into a header."""
    for site in given:
        if not re.fullmatch(r"https?://[\w.-]+(:\d+)?", site, re.ASCII):
            raise OptionError(
                f"embed-in={site!r} must be a site, such as https://course.example.org."
            )
    return list(given)


def _check_address(address: str | None) -> None:
    try:
        ipaddress.ip_address("127.0.0.1" if address in (None, "localhost") else str(address))
    except ValueError:
        raise OptionError(
            f"address={address!r} must be an address of this machine, such as 127.0.0.1 or 0.0.0.0."
        ) from None


def _keeps(args: argparse.Namespace) -> bool:
    """Whether tables are kept: as asked for, else where only this machine is served."""
    if args.keep is not None:
        return bool(args.keep)
    address = args.address or os.environ.get("STREAMLIT_SERVER_ADDRESS") or "127.0.0.1"
    return address in ("127.0.0.1", "localhost", "::1")


def _set_limits(args: argparse.Namespace) -> ServerLimits:
    """Pass the limits that were given on to the pages; others are as the environment says."""
    for field in option_fields(ServerLimits):
        given = getattr(args, f"max_{field.name}")
        if given is not None:
            os.environ[variable(field.name)] = given
    return ServerLimits.from_environment()


def _allow_paths(folder: str | None) -> None:
    """Set which folder the pages may read; without one, an old setting does not count."""
    os.environ.pop(ALLOW_PATHS, None)
    if folder is not None:
        guard = importlib.import_module("probtrees.scale.files.allowed_folder")
        os.environ[ALLOW_PATHS] = str(guard.AllowedFolder.at(folder).root)
