"""Checks pages, comments, messages and commit subjects for habits of unidiomatic English: submit/docs/habits.py [--write]

habits.tsv contains, for each file and pattern, the allowed number of matching lines: false positives, and old lines that have not been rewritten yet. A file
with more matches fails. Commit subjects in habits.tsv are not checked. ``--write`` lowers the numbers to the current counts; raise a number by hand for a false
positive.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCEPTIONS = pathlib.Path(__file__).with_suffix(".tsv")
HABITS = {
    "is no X": (r"(?<!there )(?<!There )\b(is|are) no (?!longer|more|less)[a-z`]+|\b(has|have) not (its|the|a)\b", "write: is not an X, lacks its X"),
    "another": (r"\banother (one|number|than|order|length|type|strategy|way|form)\b", "write: different, other, unknown"),
    "bare condition": (r"With `\w+`, (-1|NULL|Infinity)|(^|\. )(0|100|NULL|Infinity) if ", "write: If `x` is given, returns -1 ..."),
}
SUBJECT = re.compile(r"[a-z0-9_ ,.-]+: \S")
GESTURES = re.compile(r"\S+: (give|let|say|tell|hold|word) ")
COMMIT = "commit subject"
SUFFIXES = {".md", ".java", ".cu", ".cuh", ".py", ".sh"}
TESTS = {"test", "gpu-test", "tests"}


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def prose(path, line):
    """Returns the prose in a line: in a page, the whole line; in a source file, comments and strings that may be messages."""
    if path.suffix == ".md":
        return line
    text = line.strip()
    if re.match(r'(\*|//|/\*\*?|#|""")', text):
        return text
    return " ".join(re.findall(r'"((?:[^"\\]|\\.){12,})"', text) + re.findall(r"//.*$|/\*\*.*?\*/", text))


def matches():
    """Returns the matching lines by file and habit."""
    found = {}
    for name in git("ls-files"):
        path = pathlib.Path(name)
        if path.suffix not in SUFFIXES or TESTS & set(path.parts) or path.name == "habits.py" or not (ROOT / path).is_file():
            continue
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            for habit, (pattern, _) in HABITS.items():
                if re.search(pattern, prose(path, line)):
                    found.setdefault((name, habit), []).append(f"{name}:{number}: {line.strip()[:140]}")
    return found


def subjects(allowed):
    """Returns the problems with the commit subjects since this check was added."""
    begin = git("log", "-1", "--diff-filter=A", "--format=%H", "--", "submit/docs/habits.py")
    for subject in git("log", "--no-merges", "--format=%s", f"{begin[0]}..HEAD") if begin else ():
        if (subject, COMMIT) in allowed:
            continue
        if len(subject) > 72 or not SUBJECT.match(subject) or GESTURES.match(subject):
            yield f"commit subject '{subject}': write 'area: verb object', at most 72 characters, and name the change"


def main():
    rows = [line.split("\t") for line in EXCEPTIONS.read_text(encoding="utf-8").splitlines()] if EXCEPTIONS.exists() else []
    allowed = {(file, habit): int(count) for file, habit, count in rows}
    found = matches()
    if "--write" in sys.argv[1:]:
        now = {key: min(len(lines), allowed.get(key, 0) if rows else len(lines)) for key, lines in found.items()}
        now |= {key: count for key, count in allowed.items() if key[1] == COMMIT}
        EXCEPTIONS.write_text("".join(f"{file}\t{habit}\t{count}\n" for (file, habit), count in sorted(now.items()) if count), encoding="utf-8")
        return
    wrong = list(subjects(allowed))
    for (file, habit), lines in sorted(found.items()):
        if len(lines) > allowed.get((file, habit), 0):
            wrong += [f"'{habit}', {HABITS[habit][1]}:", *("  " + line for line in lines)]
    if wrong:
        sys.exit("\n".join(["habits: reword these lines, or add false positives to submit/docs/habits.tsv", *wrong]))
    print(f"habits: no new matches in {len(git('ls-files'))} files; {sum(allowed.values())} old matches remain")


if __name__ == "__main__":
    main()
