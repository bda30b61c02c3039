"""The table of lies: each is a coroutine that answers one kind of request, with the outcomes that are right."""

from dataclasses import asdict, dataclass, field

#: By name; each module of lies adds its own.
LIES = {}


@dataclass
class Lie:
    name: str
    group: str
    #: The kind of answer that it touches, as results name it.
    kind: str
    does: str
    #: One of these ends a request of the kind, and nothing else than these and success does.
    outcomes: list = field(default_factory=list)
    #: Whether a finding or a failed request beside those is right, too.
    loose: bool = False
    http2: bool = False
    #: Whether its viewers load segments.
    ads: bool = False

    act: object = None

    def told(self):
        row = asdict(self)
        del row["act"]
        return row


def lie(group, kind, outcomes=(), *, name=None, does=None, loose=False, http2=False,
        ads=False):
    """Adds a coroutine to the table, by its own name and what its first line says unless told otherwise."""

    def add(act):
        title = name or act.__name__.removeprefix("_").replace("_", "-")
        if title in LIES:
            raise ValueError(f"two lies are called {title}")
        words = does or (act.__doc__ or "").strip().split("\n")[0]
        LIES[title] = Lie(title, group, kind, words, list(outcomes), loose, http2, ads, act)
        return act

    return add
