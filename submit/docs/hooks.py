"""Hooks for mkdocs: add files outside docs/ to which pages link to the site, below ``repository/``, and fix links."""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).parents[2]
DOCS = "docs"
PROJECT = {"CHANGELOG.md", "CONTRIBUTING.md", "datasets/README.md"}
LINK = re.compile(r"(!?)\[([^\]]+)\]\((?!\w+://)([^)#\s]+)(#[^)\s]*)?\)")


def outside(source):
    """Returns the repository path of each file outside docs/ to which a page links."""
    folder = posixpath.dirname(source)
    for match in LINK.finditer((ROOT / source).read_text(encoding="utf-8")):
        target = posixpath.normpath(posixpath.join(folder, match.group(3)))
        if not target.startswith(DOCS + "/") and (ROOT / target).is_file():
            yield target


def on_files(files, config):
    pages = [f"{DOCS}/{file.src_uri}" for file in files.documentation_pages()]
    wanted = set(PROJECT)
    for page in [*pages, *PROJECT]:
        wanted.update(outside(page))
    for path in sorted(wanted - {"README.md"}):
        files.append(File.generated(config, f"repository/{path}", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    source = uri.removeprefix("repository/") if uri.startswith("repository/") else f"{DOCS}/{uri}"

    def relink(match):
        image, text, link, anchor = match.groups()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        if target == "README.md":
            site = "index.md"
        elif target.startswith(DOCS + "/"):
            site = target.removeprefix(DOCS + "/")
        elif (ROOT / target).is_file():
            site = f"repository/{target}"
        else:
            return text  # a folder, which the site cannot show
        return f"{image}[{text}]({posixpath.relpath(site, posixpath.dirname(uri) or '.')}{anchor or ''})"

    return LINK.sub(relink, markdown)
