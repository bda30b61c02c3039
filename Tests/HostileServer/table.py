"""The table of lies: each is a file of the folder lies, which answers one kind of request.

    lies/PROTOCOL/CROWD/NAME.py
    # KIND: what it does
    # expected: OUTCOME, OUTCOME

Lies of one crowd are told side by side. The kind is what results name the answer, with ` and segments` behind it where viewers
load segments. One of the outcomes ends a request of the kind, and nothing else than these and `success` does; `anything` among
them lets a finding or another failed request be right, too. The code below sees the names of http1_lies.py or http2_lies.py and
defines the coroutine `act`, which is given the exchange.
"""

import pathlib
from dataclasses import asdict, dataclass

import http1_lies
import http2_lies

FOLDER = pathlib.Path(__file__).parent / "lies"
NAMES = {"http1": http1_lies, "http2": http2_lies}


@dataclass
class Lie:
    name: str
    crowd: str
    kind: str
    outcomes: list
    loose: bool
    http2: bool
    ads: bool

    act: object

    def told(self):
        row = asdict(self)
        del row["act"]
        return row


def read(path):
    text = path.read_text()
    first, second = [line.removeprefix("# ") for line in text.split("\n")[:2]]
    kind, does = first.split(": ", 1)
    expected = second.removeprefix("expected: ").split(", ")
    assert does and expected != [second], path
    protocol, crowd = path.relative_to(FOLDER).parts[:2]
    names = dict(vars(NAMES[protocol]))
    exec(compile(text, path, "exec"), names)
    return Lie(
        path.stem, f"{protocol}/{crowd}", kind.removesuffix(" and segments"),
        [outcome for outcome in expected if outcome not in ("success", "anything")], "anything" in expected,
        protocol == "http2", kind.endswith(" and segments"), names["act"],
    )


FOUND = [read(path) for path in sorted(FOLDER.glob("*/*/*.py"))]
LIES = {lie.name: lie for lie in FOUND}
assert len(LIES) == len(FOUND), "two lies of one name"
