"""Checks the pages of the documentation against the program.

  pages.py parse --podswarm PATH                     commands, profiles, links, lengths: without running a command of a page
  pages.py run --podswarm PATH [--write] [PAGE...]   runs the commands of the pages and compares what they print

A complaint is `FILE:LINE: problem; what to do`. Exit status 1 with complaints.

A command is a line of a `console` block that begins with "$ "; a trailing backslash continues it. Lines below it are its output,
and need not be there. A line `...` stands for output that is left out. All commands of a page run in order in one shell, in one
fresh folder that holds a copy of Profiles/. Each must end with 0; a run also with 3, that of a busy machine. Directly before a
block may stand:

  <!-- status: 1 -->        one command of the block ends with this status
  <!-- parsed: REASON -->   the block cannot run here; its podswarm commands are parsed only

A `yaml` block is a whole profile, or begins with "# part of a profile".
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = TOP / "Sources/podswarm/Documentation.docc"
FRONT = "Podswarm"

# The pages of the catalogue in their order, with the most words of each (`wc -w`); None for references, which do not count.
LIMITS = {
    FRONT: 500,
    "Start": 1500,
    "Results": 1500,
    "Profiles": 1500,
    "Breaks": 1500,
    "Findings": 1500,
    "Players": 1500,
    "Targets": 1500,
    "Comparing": 1500,
    "Soak": 1500,
    "Scale": 1500,
    "Watching": 1500,
    "Security": 1500,
    "Cookbook": 2200,
    "Architecture": 2000,
    "Contributing": 1500,
    "Decisions": 6000,
    "Glossary": 2500,
    "ProfileFields": None,
    "PersonaFacts": None,
    "FindingMatrix": None,
    "PlaylistRules": None,
    "HLSFeatures": None,
    "OriginReference": None,
}
README_LIMIT = 600
TOTAL_LIMIT = 40_000
LONGEST_LINE = 128

# Pages outside of the catalogue.
OTHERS = ["README.md", "results/README.md", "Profiles/nightly/README.md"]

# The folder that the pages show.
HOME = "/home/you/podswarm"
# Seconds that a command may take, and that a reader takes after starting a server.
LONGEST_COMMAND = 300
PAUSE_AFTER_SERVER = 2
# Commands that end with 3 on a busy machine.
UNDECIDED_ON_BUSY_MACHINE = re.compile(r"\bpodswarm (run|soak|capacity|merge)\b|nightly\.sh")

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"<!--\s*(?:status:\s*(\d+)|parsed:(?:(?!-->).)+?)\s*-->\s*\Z", re.DOTALL)
PART = "# part of a profile"


# Pages


@dataclasses.dataclass
class Command:
    text: str
    shown: str
    line: int


@dataclasses.dataclass
class Block:
    language: str
    body: str
    line: int
    span: tuple
    status: int | None = None
    is_parsed_only: bool = False

    def commands(self):
        """The commands, and the number of the first line that belongs to none."""
        found, stray, continues = [], None, False
        for number, line in enumerate(self.body.splitlines(), self.line + 1):
            if continues:
                found[-1].text += "\n" + line
            elif line.startswith("$ "):
                found.append(Command(line[2:], "", number))
            elif found:
                found[-1].shown += line + "\n"
            else:
                stray = stray or number
            continues = bool(found) and (continues or line.startswith("$ ")) and line.endswith("\\")
        for command in found:
            command.shown = command.shown.strip("\n")
        return found, stray


class Page:
    def __init__(self, path):
        self.path = path
        self.name = path.stem if path.parent == CATALOGUE else str(path.relative_to(TOP))
        self.text = path.read_text()
        self.blocks = []
        for match in FENCE.finditer(self.text):
            block = Block(match.group(1), match.group(2), self.line(match.start()), match.span())
            if marker := MARKER.search(self.text, 0, match.start()):
                block.status = int(marker.group(1)) if marker.group(1) else None
                block.is_parsed_only = block.status is None
            self.blocks.append(block)

    def line(self, offset, text=None):
        return (text or self.text).count("\n", 0, offset) + 1

    def prose(self):
        """The text without its blocks, with all lines where they were."""
        return FENCE.sub(lambda match: "\n" * match.group().count("\n"), self.text)

    def complaint(self, line, problem, advice):
        return f"{self.path.relative_to(TOP)}:{line}: {problem}; {advice}"

    @staticmethod
    def all():
        paths = sorted(CATALOGUE.glob("*.md")) + [TOP / name for name in OTHERS]
        return [Page(path) for path in paths if path.exists()]


# Shell

TOKEN = re.compile(
    r"(?P<space>(?:\s|\\\n)+)|(?P<comment>(?<![^\s;|&(])#[^\n]*)|(?P<operator>\|\||&&|[;|&()])|(?P<redirect>\d?(?:>>|>&|&>|>|<<<|<)\s*)"
    r"|(?P<word>(?:\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|\$\{[^}]*\}|[^\s;|&()<>'\"\\])+)|(?P<other>.)",
    re.DOTALL,
)
# Words before a command, which may have options of their own.
PREFIXES = {"do", "then", "else", "if", "while", "until", "!", "{", "time", "sudo", "exec", "nohup", "env", "nice", "timeout",
            "command", "xargs", "srun", "ssh", "docker", "podman", "kubectl", "systemd-run", "swift", "ip", "taskset"}


def unquoted(word):
    return re.sub(r"\\(.)|'([^']*)'|\"((?:\\.|[^\"\\])*)\"", lambda m: m.group(1) or m.group(2) or m.group(3) or "", word,
                  flags=re.DOTALL)


def simple_commands(script):
    """The words of each command of a script, those in $(...) too."""
    words, commands, skips = [], [], False
    for match in TOKEN.finditer(script):
        kind, text = match.lastgroup, match.group()
        if kind == "operator" or kind == "space" and "\n" in text.replace("\\\n", ""):
            commands.append(words)
            words = []
        elif kind == "redirect":
            skips = True
        elif kind in ("word", "other"):
            for inner in re.findall(r"\$\(([^()]*)\)|(?<!\\)`([^`]*)`", text):
                commands += simple_commands(inner[0] or inner[1])
            if not skips:
                words.append(unquoted(text))
            skips = False
    return [command for command in commands + [words] if command]


def podswarm_words(command):
    """The words after `podswarm`; None for another command."""
    while command and re.fullmatch(r"[A-Za-z_]\w*=.*", command[0], re.DOTALL):
        command = command[1:]
    for index, word in enumerate(command):
        if word == "podswarm" or word.endswith("/podswarm"):
            is_one = index == 0 or command[0] in PREFIXES and (command[0] != "swift" or command[1] == "run")
            return command[index + 1:] if is_one else None
    return None


# The program


class Interface:
    """Commands and options of podswarm, as ArgumentParser describes them."""

    def __init__(self, podswarm):
        self.podswarm = podswarm
        dump = subprocess.run([podswarm, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
        self.root = json.loads(dump)["command"]

    def without_help(self, command=None):
        command = command or self.root
        own = [] if command.get("abstract") or not command.get("shouldDisplay", True) else [command["commandName"]]
        return own + [name for one in command.get("subcommands") or [] for name in self.without_help(one)]

    @staticmethod
    def names(argument):
        return ["--" + name["name"] if name["kind"] == "long" else "-" + name["name"] for name in argument.get("names") or []]

    def problems(self, words, counts_positionals=True):
        """What is wrong with the words of a command line, each with advice."""
        command, path, positionals, given, is_over = self.root, ["podswarm"], [], set(), False
        if "help" in words[:2]:
            return []
        found = []
        options = self.options(command)
        index = 0
        while index < len(words):
            word = words[index]
            index += 1
            if is_over or not word.startswith("-") or word == "-":
                subcommands = {name: one for one in command.get("subcommands") or []
                               for name in [one["commandName"], *(one.get("aliases") or [])]}
                if not is_over and not positionals and subcommands:
                    if word not in subcommands:
                        if command.get("defaultSubcommand"):
                            command = subcommands[command["defaultSubcommand"]]
                            positionals.append(word)
                            continue
                        return found + [(f"`{' '.join(path)}` has no command `{word}`", f"one of {', '.join(subcommands)}")]
                    command = subcommands[word]
                    path.append(word)
                    options = self.options(command)
                else:
                    positionals.append(word)
                continue
            if word == "--":
                is_over = True
                continue
            name, equals, value = word.partition("=")
            argument = options.get(name)
            if argument is None and re.fullmatch(r"-[A-Za-z]{2,}", word):
                if all(f"-{letter}" in options for letter in word[1:]):
                    continue
            if argument is None:
                found.append((f"`{' '.join(path)}` has no option `{name}`", f"see `{' '.join(path)} --help`"))
                index += not equals and index < len(words) and not words[index].startswith("-")
                continue
            given.add(id(argument))
            if argument["kind"] == "flag":
                if equals:
                    found.append((f"`{name}` takes no value", f"write `{name}`"))
                continue
            if not equals:
                takes_anything = argument.get("parsingStrategy") == "unconditional"
                if index == len(words) or words[index].startswith("-") and len(words[index]) > 1 and not takes_anything:
                    found.append((f"`{name}` has no value", f"write `{name} <{argument.get('valueName', 'value')}>`"))
                    continue
                value = words[index]
                index += 1
                if argument.get("parsingStrategy") in ("upToNextOption", "allRemainingInput"):
                    while index < len(words) and not words[index].startswith("-"):
                        index += 1
            choices = argument.get("allValues")
            if choices and value not in choices and "$" not in value:
                found.append((f"`{value}` is not a value of `{name}`", f"one of {', '.join(choices)}"))
        if "--help" in words or "-h" in words or "--version" in words or not counts_positionals:
            return found
        if command.get("subcommands") and not command.get("defaultSubcommand"):
            return found + [(f"`{' '.join(path)}` needs a command", "name one")]
        for one in command.get("subcommands") or []:
            command = one if one["commandName"] == command.get("defaultSubcommand") else command
        arguments = command.get("arguments") or []
        places = [argument for argument in arguments if argument["kind"] == "positional"]
        least = sum(not argument["isOptional"] for argument in places)
        if len(positionals) < least:
            missing = places[len(positionals)].get("valueName", "argument")
            found.append((f"`{' '.join(path)}` lacks <{missing}>", f"see `{' '.join(path)} --help`"))
        if len(positionals) > len(places) and not any(argument["isRepeating"] for argument in places):
            found.append((f"`{' '.join(path)}` takes no argument `{positionals[len(places)]}`", f"at most {len(places)}"))
        for argument in arguments:
            if argument["kind"] == "option" and not argument["isOptional"] and id(argument) not in given:
                name = (self.names(argument) or ["?"])[-1]
                found.append((f"`{' '.join(path)}` lacks `{name}`", f"write `{name} <{argument.get('valueName', 'value')}>`"))
        return found

    def options(self, command):
        found = {"--help": {"kind": "flag"}, "-h": {"kind": "flag"}, "--help-hidden": {"kind": "flag"}, "--version": {"kind": "flag"}}
        for one in command.get("subcommands") or []:
            if one["commandName"] == command.get("defaultSubcommand"):
                found |= self.options(one)
        for argument in command.get("arguments") or []:
            if argument["kind"] != "positional":
                found |= {name: argument for name in self.names(argument)}
        return found

    def profile_mistakes(self, folder, text):
        """What `podswarm profile validate` says of a profile; empty for a valid one."""
        file = folder / "page.yaml"
        file.write_text(text)
        environment = {name: "example" for name in re.findall(r"\$\{(\w+)\}", text)}
        end = subprocess.run([self.podswarm, "profile", "validate", file.name], cwd=folder, env=environment | os.environ,
                             capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return "" if end.returncode == 0 else " ".join((end.stderr or end.stdout).replace(str(folder) + "/", "").split())


# Parse


def command_complaints(page, interface):
    for block in page.blocks:
        if block.language != "console":
            continue
        commands, stray = block.commands()
        if stray:
            yield page.complaint(stray, "a console block begins with output", "begin it with `$ COMMAND`")
        for command in commands:
            for words in simple_commands(command.text):
                for path in {path for word in words for path in re.findall(r"(?<![\w./-])Profiles/[\w./*?-]*[\w/*?]", word)}:
                    if not any(TOP.glob(path.rstrip("/"))):
                        yield page.complaint(command.line, f"{path} does not exist", "name a file of the repository")
                arguments = podswarm_words(words)
                if arguments is not None:
                    for problem, advice in interface.problems(arguments, words[0] != "xargs"):
                        yield page.complaint(command.line, problem, advice)
    # What prose names may lack its arguments, and have placeholders.
    prose = page.prose()
    for match in re.finditer(r"`podswarm ([^`\n]+)`", prose):
        if "..." in match.group(1) or "…" in match.group(1):
            continue
        for words in simple_commands("podswarm " + match.group(1))[:1]:
            for problem, advice in interface.problems(words[1:], False):
                if "has no value" not in problem and not re.search(r"[A-Z]{3}|\|", problem):
                    yield page.complaint(page.line(match.start(), prose), problem, advice)


def profile_complaints(page, interface, folder):
    for block in page.blocks:
        if block.language == "yaml" and not block.body.startswith(PART):
            if mistakes := interface.profile_mistakes(folder, block.body):
                yield page.complaint(block.line, f"not a valid profile: {mistakes[:400]}", f"mend it, or begin it with `{PART}`")


def link_complaints(page, names):
    prose = page.prose()
    for match in re.finditer(r"<doc:([^>#\s]+)(?:#[^>]*)?>", prose):
        if match.group(1) not in names:
            yield page.complaint(page.line(match.start(), prose), f"<doc:{match.group(1)}> is not a page", "link to a page of the catalogue")
    for match in re.finditer(r"\]\((?![a-z]+:|#)([^)\s#]+)[^)]*\)", prose):
        if not (page.path.parent / match.group(1)).exists() and not list(CATALOGUE.glob(f"Resources/{match.group(1)}*")):
            yield page.complaint(page.line(match.start(), prose), f"{match.group(1)} does not exist", "link to a file of the repository")


def form_complaints(page):
    if page.path.parent == CATALOGUE and page.name not in LIMITS:
        yield page.complaint(1, "not a page of the plan", "add it to LIMITS of Tests/Pages/pages.py, or remove it")
    limit = README_LIMIT if page.name == "README.md" else LIMITS.get(page.name)
    words = len(page.text.split())
    if limit and words > limit:
        yield page.complaint(1, f"{words} words", f"at most {limit}")
    if not page.text.startswith("# "):
        yield page.complaint(1, "no title", "begin with `# TITLE`")
    if LIMITS.get(page.name, 1):
        for number, line in enumerate(page.prose().splitlines(), 1):
            if len(line) > LONGEST_LINE and not line.startswith("|") and "](http" not in line:
                yield page.complaint(number, f"{len(line)} characters", f"at most {LONGEST_LINE} a line outside of tables")


# Directories by whose names paths in backquotes begin; a target of Sources is named without it.
ROOTS = {"Sources", "Tests", "Profiles"}
PATH = re.compile(r"`([A-Za-z]+)/([^`\n]*)`")


def path_complaints(page):
    targets = {folder.name for folder in (TOP / "Sources").iterdir()}
    for match in PATH.finditer(page.text):
        top, rest = match.groups()
        if top in targets | ROOTS and not (TOP / ("Sources" if top in targets else "") / top / rest).exists():
            yield page.complaint(page.line(match.start()), f"{top}/{rest} does not exist", "name the file where it is now")


def glossary_complaints(pages):
    """At most 60 terms in order, each used on a page for users, in a help text or in a schema."""
    plain = lambda text: re.sub(r"[_-]", " ", text.lower())
    page = next(page for page in pages if page.name == "Glossary")
    rows = [line for line in page.text.split("\n") if line.startswith("| ")][2:]
    terms = [row.split("|")[1].strip() for row in rows]
    if not 20 < len(terms) <= 60 or terms != sorted(set(terms)):
        yield page.complaint(1, f"{len(terms)} terms", "at most 60, each once, in their order")
    developers = {"Architecture", "Contributing", "Decisions", "Glossary", FRONT}
    texts = [other.text for other in pages if other.name not in developers]
    texts += [(TOP / "Profiles/profile.schema.json").read_text()]
    for folder in ("Sources/Report/Schema", "Sources/CTexts/Texts", "Sources/podswarm", "Sources/Rehearsal/Options"):
        texts += [path.read_text() for path in (TOP / folder).rglob("*") if path.suffix in (".swift", ".fields", ".txt")]
    known = plain("\n".join(texts))
    for term in terms:
        if plain(term) not in known:
            yield page.complaint(1, f"the term {term} is not used", "take it out, or use it")


def parse(podswarm):
    interface = Interface(podswarm)
    pages = Page.all()
    names = {page.name for page in pages if page.path.parent == CATALOGUE}
    found = []
    with tempfile.TemporaryDirectory(prefix="podswarm-pages-") as place:
        folder = pathlib.Path(place).resolve()
        shutil.copytree(TOP / "Profiles", folder / "Profiles")
        for page in pages:
            found += form_complaints(page)
            found += link_complaints(page, names)
            found += path_complaints(page)
            found += command_complaints(page, interface)
            found += profile_complaints(page, interface, folder)
    found += glossary_complaints(pages)
    front = next(page for page in pages if page.name == FRONT)
    for program in filter(pathlib.Path.exists, (podswarm, podswarm.with_name("podswarm-benchmarks"))):
        for name in Interface(program).without_help():
            found.append(front.complaint(1, f"{name} has no help", "add its block to Sources/CTexts/Texts/commands.txt"))
    linked = set(re.findall(r"<doc:([^>#\s]+)", front.text))
    for name in LIMITS:
        if name not in names:
            found.append(front.complaint(1, f"{name}.md does not exist", "write it, or take it out of LIMITS of Tests/Pages/pages.py"))
        elif name != FRONT and name not in linked:
            found.append(front.complaint(1, f"{name} is not linked", f"add <doc:{name}> to Topics"))
    counted = [page for page in pages if page.name == "README.md" or page.name in names and LIMITS.get(page.name, 1)]
    total = sum(len(page.text.split()) for page in counted)
    if total > TOTAL_LIMIT:
        found.append(front.complaint(1, f"{total} words on all pages without references", f"at most {TOTAL_LIMIT}"))
    print(f"pages: {total} words on {len(counted)} pages, without references", file=sys.stderr)
    return found


# Run

# Paragraphs that depend on how busy the machine is, by how they begin, and what is folded away.
OF_THE_MACHINE = ("Slowest answers", "Generator", "For information", "Notes")
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
# Figures, times, addresses and signs that differ from run to run.
MASKS = [
    # The margin of a busy machine.
    (r" \(from --floor\)", ""),
    (r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", "#"),
    (r"\S*\d{8}T\d{6}Z\S*", "#"),
    (r"#[0-9a-f]{16}|[0-9a-f]{0,4}…[0-9a-f]{8}|\b[0-9a-f]{12}\b|renditions [0-9a-f]{8}", "#"),
    (r"[+-]?\d[\d,.]*(%| times| (µs|ms|s|MiB)\b)?", "#"),
    (r"undecided|no worse|✅|❔|⚠️|\bbetter\b", "#"),
]


def shape(text):
    """The paragraphs that count, each as its set of words: however lines and tables were set."""
    paragraphs = []
    for paragraph in FOLDED.sub("", text).strip().split("\n\n"):
        if paragraph.lstrip().startswith(OF_THE_MACHINE):
            continue
        line = " ".join(paragraph.split())
        for pattern, sign in MASKS:
            line = re.sub(pattern, sign, line)
        if words := set(line.split()):
            paragraphs.append(words)
    return paragraphs


def differences(shown, printed):
    """How what is shown differs from what was printed; empty where it does not."""
    pieces = re.split(r"^[ ]*(?:\.\.\.|…)[ ]*$", shown, flags=re.MULTILINE)
    now = shape(printed)
    if len(pieces) > 1:
        # An excerpt: each paragraph is part of one that was printed, in the same order.
        start, found = 0, []
        for words in [words for piece in pieces for words in shape(piece)]:
            place = next((index for index in range(start, len(now)) if words <= now[index]), None)
            if place is None:
                nearest = min(now, key=lambda printed: len(words - printed), default=set())
                found.append(f"not printed: {' '.join(sorted(words - nearest))}")
            else:
                start = place
        return found
    was = shape(shown)
    if was == now:
        return []
    found = [f"{len(was)} paragraphs are shown, {len(now)} were printed"] if len(was) != len(now) else []
    for old, new in zip(was, now):
        if old != new:
            found.append(f"shown: {' '.join(sorted(old - new)) or '-'}, printed: {' '.join(sorted(new - old)) or '-'}")
    return found


class Reader:
    """A shell in a fresh folder; what it started is killed at the end."""

    def __init__(self, podswarm):
        self.place = tempfile.TemporaryDirectory(prefix="podswarm-pages-", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.place.name).resolve()
        self.home = self.folder / "podswarm"
        self.home.mkdir()
        shutil.copytree(TOP / "Profiles", self.home / "Profiles")
        self.report, end = os.pipe()
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=self.home, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, text=True, pass_fds=[end], start_new_session=True,
            env=dict(os.environ, NO_COLOR="1", COLUMNS="100", PATH=f"{podswarm.parent}:{os.environ['PATH']}"),
        )
        os.close(end)
        self.end = end
        self.count = 0
        self.status = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.shell.pid, number)
            except ProcessLookupError:
                break
            deadline = time.monotonic() + 5
            while number == signal.SIGTERM and time.monotonic() < deadline and self.is_alive():
                self.shell.poll()
                time.sleep(0.05)
        self.shell.wait()
        os.close(self.report)
        self.place.cleanup()

    def is_alive(self):
        try:
            os.killpg(self.shell.pid, 0)
            return True
        except ProcessLookupError:
            return False

    def run(self, command):
        """The exit status, None after too long, and what was printed: output, errors."""
        self.count += 1
        output, errors = self.folder / f"{self.count}.out", self.folder / f"{self.count}.err"
        script = self.folder / f"{self.count}.sh"
        script.write_text(command + "\n")
        # In the shell itself, so that folders, variables and jobs last; $? is that of the command before.
        self.shell.stdin.write(
            f"(exit {self.status}); . {script} >{output} 2>{errors} </dev/null {self.end}>&-; echo $? >&{self.end}\n"
        )
        self.shell.stdin.flush()
        status = self.answer(time.monotonic() + LONGEST_COMMAND)
        if re.search(r"&\s*$", command):
            time.sleep(PAUSE_AFTER_SERVER)
        self.status = status or 0
        return status, self.text(output), self.text(errors)

    def answer(self, deadline):
        said = b""
        while not said.endswith(b"\n"):
            if not select.select([self.report], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            piece = os.read(self.report, 64)
            if not piece:
                return self.shell.wait()
            said += piece
        return int(said)

    def text(self, file):
        return file.read_text(errors="replace").replace(str(self.home), HOME).rstrip() if file.exists() else ""


def allowed(command, block):
    statuses = {0} if block.status is None else {0, block.status}
    return statuses | {3} if UNDECIDED_ON_BUSY_MACHINE.search(command.text.replace("\\\n", " ")) else statuses


def run_page(page, podswarm):
    """The complaints, and the text of the page with what was printed."""
    found, edits = [], []
    with Reader(podswarm) as reader:
        for block in page.blocks:
            if block.language != "console" or block.is_parsed_only:
                continue
            lines, statuses, changes = [], [], False
            for command in block.commands()[0]:
                print(f"$ {command.text}", file=sys.stderr, flush=True)
                status, output, errors = reader.run(command.text)
                statuses.append(status)
                lines += [f"$ {command.text}"]
                if status not in allowed(command, block):
                    problem = f"longer than {LONGEST_COMMAND} s" if status is None else f"ended with status {status}"
                    said = "\n".join(f"  | {line}" for line in (output + "\n" + errors).strip().splitlines()[-30:])
                    found.append(page.complaint(command.line, f"`{command.text}` {problem}",
                                                "mend it, or write <!-- status: N --> or <!-- parsed: REASON --> before the block"
                                                + f"\n{said}"))
                    if status is None:
                        return found, page.text
                is_undecided = status == 3 and block.status != 3
                if not command.shown or is_undecided or status not in allowed(command, block):
                    lines += [command.shown] if command.shown else []
                    continue
                candidates = [output, errors, f"{output}\n{errors}", f"{errors}\n{output}"]
                differing = [differences(command.shown, text) for text in candidates]
                if [] in differing:
                    printed = candidates[differing.index([])]
                else:
                    printed, changes = output or errors, True
                    found.append(page.complaint(
                        command.line, f"`{command.text}` prints something else than is shown: {'; '.join(differences(command.shown, printed))}",
                        f"`.ci/pages run --write {page.name}`, or `...` for what is left out"))
                lines += [command.shown if [] in differing else printed]
            if block.status is not None and block.status not in statuses and 3 not in statuses:
                found.append(page.complaint(block.line, f"no command ended with status {block.status}: {statuses}",
                                            "mend it, or remove the comment"))
            if changes:
                edits.append((block.span, "```console\n" + "\n".join(line for line in lines if line) + "\n```"))
    text = page.text
    for (start, end), written in reversed(edits):
        text = text[:start] + written + text[end:]
    return found, text


def run(podswarm, names, writes):
    pages = [page for page in Page.all() if any(block.language == "console" for block in page.blocks)]
    if unknown := [name for name in names if name not in {page.name for page in pages}]:
        sys.exit(f"pages: no commands on {', '.join(unknown)}; pages with commands: {', '.join(page.name for page in pages)}")
    found = []
    for page in pages:
        if names and page.name not in names:
            continue
        print(f"== {page.name}", file=sys.stderr, flush=True)
        complaints, text = run_page(page, podswarm)
        found += complaints
        print("".join(f"{text}\n" for text in complaints), end="", flush=True)
        if writes and text != page.text:
            page.path.write_text(text)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("parse", "run"):
        command = commands.add_parser(name)
        command.add_argument("--podswarm", type=pathlib.Path, required=True)
        if name == "run":
            command.add_argument("--write", action="store_true", help="put what is printed into the pages")
            command.add_argument("pages", nargs="*", help="names, such as Start or README.md; all if left out")
    options = parser.parse_args()
    # So that a reader ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("pages: ended by a signal"))
    podswarm = options.podswarm.resolve()
    if not os.access(podswarm, os.X_OK):
        sys.exit(f"pages: {podswarm} does not exist; build it: swift build -c release --product podswarm")
    found = parse(podswarm) if options.command == "parse" else run(podswarm, options.pages, options.write)
    if options.command == "parse":
        print("".join(f"{text}\n" for text in found), end="")
    print(f"pages: {len(found)} complaints", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
