"""The web addresses of class sessions: plain pages for phones, and numbers for the projector.

Phones get ordinary web pages without a Streamlit session each, so that a hundred of them ask no
more of the server than a hundred files. Rooms can only be opened where the server was started with
an address, by a page of the lesson, whose script has a name that the server gave it; and only the
guesses of phones count that come with a cookie that the server gave them.
"""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from html import escape
from urllib.parse import parse_qs, quote

import segno
import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from probtrees.ui.learn.class_rooms import ClassError, GivenNames, Room, Rooms
from probtrees.ui.learn.lesson_file import STEPS, asset, scripts, style_of_page

MOST_BYTES, MOST_OF_SCREEN = 4800, 20_000
"""No request of a phone, or of a projector, is longer."""

NO_ROOMS = "To open a room for a class, start the server with --address 0.0.0.0 (see teaching.md)."
ADDRESS_GIVEN = "PROBTREES_ADDRESS_GIVEN"
"""The environment variable by which the command line says that --address was given."""

_PHONE = "probtrees_phone"
_NEXT = "<form method=get><button>Look for the next question</button></form>"
"""For a phone without scripts; others notice the next question by themselves."""
_JOIN_FORM = (
    "<form method=get><label>Code of the room <input name=code autocomplete=off "
    "autocapitalize=characters maxlength=10 required></label><button>Join</button></form>"
)
_SLIDER_FORM = (
    "<form method=post><label for=guess>Your guess</label>"
    "<input type=range id=guess name=guess min=0 max=100 value=50 "
    "oninput=\"seen.value = value + ' %'; send.disabled = false\" onclick=oninput()>"
    "<output id=seen>tap the scale</output><button id=send disabled>Send</button></form>"
)
_PICTURE = "<div class=lesson id=picture></div>"
_DRAW = ("smoothers", "restaurant", "lesson_facts", "lesson_tree", "lesson_axis")
ROOMS, PAGES, PHONES = Rooms(), GivenNames(), GivenNames()


def class_routes() -> list[Route]:
    """Make the routes, below any path."""
    routes = [
        ("class", _join, ["GET"]),
        ("class/open", _screen, ["POST"]),
        ("class/qr.svg", _qr, ["GET"]),
        ("class/{code}", _phone_page, ["GET"]),
        ("class/{code}", _guess, ["POST"]),
        ("class/{code}/tally", _screen, ["POST"]),
        ("class/{code}/close", _screen, ["POST"]),
        ("class/{code}/open", _is_open, ["GET"]),
    ]
    return [
        Route(f"{prefix}/{path}", answer, methods=methods)
        for prefix in ("", "/{prefix:path}")
        for path, answer, methods in routes
    ]


def lets_others_in() -> bool:
    """Whether the server listens to other machines, as ``--address`` says."""
    return not _is_loopback(st.get_option("server.address") or "localhost")


def opens_rooms() -> bool:
    """Whether rooms can be opened: where ``--address`` was given, be it for a trial."""
    return lets_others_in() or os.environ.get(ADDRESS_GIVEN) == "1"


def phones_can_reach() -> bool:
    """Whether the address that codes bear leads other machines here, as far as it can know."""
    return lets_others_in() and not _is_loopback(_listening_host())


def public_address(request: Request) -> str:
    """Return where other machines find this server, as far as it can know."""
    url = request.url
    host = url.hostname or "localhost"
    if _is_loopback(host) and lets_others_in():
        host = _listening_host()
    port = "" if url.port in (None, 80, 443) else f":{url.port}"
    place = url.path.split("/class", 1)[0]
    return f"{url.scheme}://{f'[{host}]' if ':' in host else host}{port}{place}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening_host() -> str:
    """Name this machine as others do; its address in its network is found without sending."""
    listens = str(st.get_option("server.address"))
    if listens not in ("0.0.0.0", "::"):
        return listens
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


async def _screen(request: Request) -> Response:
    """Open a room for a screen, tell it how many guesses fell where, or close its room."""
    if not opens_rooms():
        return JSONResponse({"problem": NO_ROOMS}, status_code=403)
    code, what = request.path_params.get("code", ""), request.url.path.rsplit("/", 1)[1]
    try:
        asked = await _body(request, MOST_OF_SCREEN)
        key, step = asked.get("key", ""), _step(asked.get("step", "0"))
        if what == "open":
            if not PAGES.include(page := asked.get("page", "")):
                raise ClassError("Only the Learn page can open a room. Load it again.")
            room = ROOMS.open(step, page, _address(request))
            place = f"{public_address(request)}/class/{room.code}"
            return JSONResponse({"code": room.code, "key": room.key, "place": place})
        if what == "close":
            ROOMS.close(code, key)
            return JSONResponse({})
        told = (asked.get(name, "") for name in ("clue", "answer", "shown"))
        room = ROOMS.ask(code, key, step, *told)
    except ClassError as problem:
        return JSONResponse({"problem": str(problem)}, status_code=403 if what == "open" else 404)
    return JSONResponse({"bins": room.bins, "guesses": sum(room.bins)})


async def _is_open(request: Request) -> Response:
    state = ROOMS.state(request.path_params["code"])
    if state is None:
        return Response(status_code=410)
    return Response(status_code=204, headers={"ETag": f'"{state}"', "Cache-Control": "no-store"})


async def _join(request: Request) -> Response:
    if not opens_rooms():
        return _page("No class sessions here", f"<p>{escape(NO_ROOMS)}</p>", status=404)
    code = request.query_params.get("code", "")[:10].strip().upper()
    if code.isalnum():
        return RedirectResponse(f"class/{code}", status_code=303)
    return _page("Join a class", _JOIN_FORM)


async def _phone_page(request: Request) -> Response:
    try:
        room = ROOMS.find(request.path_params["code"])
    except ClassError as problem:
        over = f"<p>{escape(str(problem))}</p><div id=guesses></div>"
        return _page("No such room", over + _script("over"), status=404)
    phone, step = request.cookies.get(_PHONE, ""), STEPS[room.step]
    if room.answer:
        content = f"<p class=answer>{escape(room.answer)}</p><p id=mine hidden></p>"
        content += f"{_PICTURE}<p>{escape(step['takeaway'])}</p>{_NEXT}"
    elif phone and room.fingerprint(phone) in room.guessed:
        content = "<p>Your guess is in. Nobody can tell which one it is. The answer comes here "
        content += f"when the screen shows it.</p>{_PICTURE}{_NEXT}"
    else:
        options = step["guess"].get("options", {}).values()
        content = f"<p>{escape(room.clue)}</p>{_PICTURE}{_guess_form(list(options))}"
    answer = _page(step["question"], content + _script(room.state, room))
    if not PHONES.include(phone):
        name = PHONES.give()
        answer.set_cookie(_PHONE, name, max_age=6 * 3600, httponly=True, samesite="lax")
    return answer


def _script(state: str, room: Room | None = None) -> str:
    """Write what a phone draws and notices; the guesses of the class only with the answer."""
    bins = json.dumps(room.bins if room is not None and room.answer else None)
    shown = "" if room is None else room.shown
    return (
        f'<script data-state="{state}" data-bins="{bins}" data-shown="{escape(shown)}">'
        f"{scripts(*_DRAW, 'class_page')}</script>"
    )


def _guess_form(options: list[str]) -> str:
    """Write a slider, or the options as places on its scale, which keeps a guess a number."""
    if not options:
        return _SLIDER_FORM
    choices = "".join(
        f"<label class=option><input type=radio name=guess required value="
        f"{100 * (at + 0.5) / len(options):.6g}> {escape(label)}</label>"
        for at, label in enumerate(options)
    )
    return f"<form method=post>{choices}<button>Send</button></form>"


async def _guess(request: Request) -> Response:
    phone = request.cookies.get(_PHONE, "")
    try:
        if not PHONES.include(phone):
            raise ClassError("Allow cookies for this page and load it again.")
        value = float((await _body(request)).get("guess", "nan")) / 100
        ROOMS.guess(request.path_params["code"], phone, _address(request), value)
    except ClassError as problem:
        return _page("Not counted", f"<p>{escape(str(problem))}</p>", status=429)
    except ValueError:
        return _page("Not understood", "<p>Go back and move the slider.</p>", status=400)
    return RedirectResponse(request.path_params["code"], status_code=303)


def _address(request: Request) -> str:
    """Return where a request comes from; one machine has all addresses of an IPv6 network."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    return str(address.ipv4_mapped or ipaddress.ip_network((int(address), 64), strict=False))


async def _qr(request: Request) -> Response:
    """Draw an address of this server as a QR code, here and not elsewhere."""
    to = quote(request.query_params.get("to", ""), safe="/?&=%#+,:;@!$'()*[]")[:600]
    code = segno.make(f"{public_address(request)}/{to.lstrip('/')}", error="m")
    svg = code.svg_inline(scale=6, border=3, dark="#000", light="#fff")
    return Response(
        svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
        media_type="image/svg+xml",
    )


async def _body(request: Request, most: int = MOST_BYTES) -> dict[str, str]:
    """Read a short form."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise ClassError("The request is too long.")
    return {name: values[0] for name, values in parse_qs(content.decode("latin-1")).items()}


def _step(text: str) -> int:
    return int(text) if text in map(str, range(len(STEPS))) else 0


def _page(title: str, content: str, status: int = 200) -> HTMLResponse:
    page = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<style>{style_of_page()}{asset('class_page.css')}</style><main><h1>{escape(title)}</h1>{content}</main>"
    )
    return HTMLResponse(page, status_code=status, headers={"Cache-Control": "no-store"})
