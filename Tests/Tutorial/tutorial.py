"""Runs every command of the tutorial, in order and in one folder, and holds what it prints against what the pages show.

  tutorial.py --podswarm .build/release/podswarm            says what is no longer so; status 1 where there is something
  tutorial.py --podswarm .build/release/podswarm --write    puts what was printed into the pages

A command is a line of a `console` block that begins with "$ ". What follows it is what it prints to standard output.
Figures, times and addresses differ with each run and are not compared; nor is what depends on how busy the machine is.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = TOP / "Sources/podswarm/Documentation.docc"
PAGES = ["TutorialRehearse.md", "TutorialBreak.md", "TutorialCompare.md"]
# Where the pages have their reader stand.
HOME = "/home/you/podswarm"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Paragraphs of which the machine decides what they say, by how they begin; and what is folded away.
OF_THE_MACHINE = ("Slowest answers", "Generator", "For information", "Notes")
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
MASKS = [
    # What a busy machine adds to a margin.
    (r", which the absolute floor comes to", ""),
    (r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", "#"),
    (r"\S*\d{8}T\d{6}Z\S*", "#"),
    (r"#[0-9a-f]{16}|[0-9a-f]{0,4}…[0-9a-f]{8}|\b[0-9a-f]{12}\b|renditions [0-9a-f]{8}", "#"),
    (r"[+-]?\d[\d,.]*(%| times| (µs|ms|s|MiB)\b)?", "#"),
    (r"undecided|no worse|✅|❔|⚠️|\bbetter\b", "#"),
]


def shape(text):
    """The paragraphs that count, each as the words it is made of: however long lines and tables came out."""
    paragraphs = []
    for paragraph in FOLDED.sub("", text).strip().split("\n\n"):
        if paragraph.lstrip().startswith(OF_THE_MACHINE):
            continue
        line = " ".join(paragraph.split())
        for pattern, sign in MASKS:
            line = re.sub(pattern, sign, line)
        words = set(line.split())
        if words:
            paragraphs.append(words)
    return paragraphs


def steps(block):
    """The commands of a block, each with the output that is shown."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
        else:
            sys.exit(f"a console block begins with output: {line}")
    return [(command, "\n".join(output).rstrip()) for command, output in found]


class Reader:
    """Somebody who follows the pages."""

    def __init__(self, folder, podswarm):
        self.folder = folder
        self.environment = dict(os.environ, NO_COLOR="1", PATH=f"{podswarm.parent}:{os.environ['PATH']}")
        self.status = 0

    def run(self, command):
        print(f"$ {command}", file=sys.stderr, flush=True)
        # So that $? is what it would be in a shell.
        shell = subprocess.Popen(
            ["bash", "-c", f"(exit {self.status}); {command}"],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )
        try:
            output, errors = shell.communicate()
        except BaseException:
            # Whoever ends this ends what it has begun.
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
            raise
        self.status = shell.returncode
        if shell.returncode not in (0, 1):
            sys.exit(f"$ {command}\nended with status {shell.returncode}\n{output}{errors}")
        return output.replace(str(self.folder), HOME).rstrip()


def complaints(command, shown, printed):
    was, now = shape(shown), shape(printed)
    if was == now:
        return []
    news = [f"$ {command}", printed, f"{len(was)} paragraphs are shown, {len(now)} were printed"]
    for old, new in zip(was, now):
        if old != new:
            news.append(f"no longer: {sorted(old - new)}; new: {sorted(new - old)}")
    return news


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podswarm", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    options = parser.parse_args()
    # The folder goes, and so does what runs in it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its time"))
    news = []
    with tempfile.TemporaryDirectory(prefix="podswarm-tutorial-") as place:
        folder = pathlib.Path(place).resolve()
        shutil.copytree(TOP / "Profiles", folder / "Profiles")
        reader = Reader(folder, options.podswarm.resolve())
        for name in PAGES:
            page = CATALOGUE / name

            def again(match):
                block = []
                for command, shown in steps(match.group(1)):
                    printed = reader.run(command)
                    news.extend(complaints(command, shown, printed))
                    block += [f"$ {command}"] + ([printed] if printed else [])
                return "```console\n" + "\n".join(block) + "\n```"

            text = page.read_text()
            written = BLOCK.sub(again, text)
            if "```console" not in text:
                sys.exit(f"{name} has no command")
            if options.write:
                page.write_text(written)
    if news and not options.write:
        print("\n".join(news))
        print("\nTo have the pages show what is printed now: .ci/tutorial --write")
        sys.exit(1)


main()
