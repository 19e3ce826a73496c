"""Writes the man page and the completions of OUT/bin/mockserver into OUT/share.

The man page is created from the output of `mockserver help`.
"""
import pathlib
import re
import subprocess
import sys

out = pathlib.Path(sys.argv[1])


def said(*arguments):
    return subprocess.run([out / "bin/mockserver", *arguments], check=True, capture_output=True, text=True).stdout


def write(name, text):
    path = out / "share" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def roff(page, heading):
    """Returns a page of help as man macros: titles, lists of two columns, paragraphs, and commands."""
    lines, block = [], []

    def end():
        if block:
            lines.append(".PP")
            lines.extend(escaped(line) for line in block)
            block.clear()

    verbatim = False
    for line in page.splitlines():
        title = re.fullmatch(r"(\S.*):", line)
        # A command has no second column, or a comment after a number sign.
        item = re.fullmatch(r"  (\S.*?)(?:  +([^\s#].*))?", line)
        more = re.fullmatch(r" {4,}(\S.*)", line)
        if title and len(title[1]) < 40:
            end()
            verbatim = title[1].startswith(("Usage", "Examples"))
            name = "Synopsis" if title[1] == "Usage" else title[1]
            lines.append(f"{heading} {escaped(name.upper() if heading == '.SH' else name)}")
        elif not line:
            end()
        elif more and not verbatim:
            end()
            lines.append(escaped(more[1]))
        elif item:
            end()
            lines += [".TP", f"\\fB{escaped(item[1])}\\fR"] if not verbatim else [".PP", f"\\fB{escaped(line.strip())}\\fR"]
            if item[2]:
                lines.append(escaped(item[2]))
        else:
            block.append(line)
    end()
    return "\n".join(lines)


name, version = said("--version").split()
overview = said("--help")
manual = said("help", "all")
commands = re.findall(r"^mockserver ([a-z]+)$", manual, re.M)
summary = overview.split(".")[0].strip().removeprefix("mockserver ")
pages = [f'.TH MOCKSERVER 1 "" "mockserver {version}" "User Commands"', ".SH NAME", f"mockserver \\- {escaped(summary)}"]
pages.append(".SH DESCRIPTION\n" + roff(overview, ".SH"))
codes = re.search(r"^Exit codes:\n(?:  .*\n|\n)*", manual, re.M)
for command in commands:
    if command != "help":
        pages.append(f".SH COMMAND {command.upper()}\n" + roff(said("help", command), ".SS"))
pages.append(roff(codes[0], ".SH"))
write("man/man1/mockserver.1", "\n".join(pages) + "\n")
write("bash-completion/completions/mockserver", said("completions", "bash"))
write("zsh/site-functions/_mockserver", said("completions", "zsh"))
write("fish/vendor_completions.d/mockserver.fish", said("completions", "fish"))
