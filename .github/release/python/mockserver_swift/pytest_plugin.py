"""The fixture `mockserver`: a mock server that is reset before each test, and fails the test for requests without an answer.

One server runs for each process of pytest-xdist and each set of options.
"""
import os
import pathlib

import pytest

from . import MockServer

_servers = pytest.StashKey()
_current = pytest.StashKey()


def pytest_addoption(parser):
    parser.addini("mockserver_cassettes", "Folders or files of cassettes, relative to the root folder.", "linelist", [])
    parser.addini("mockserver_options", "Additional options of the command, such as --openapi api.yaml.", "args", [])


def pytest_configure(config):
    config.stash[_servers] = {}
    config.addinivalue_line(
        "markers",
        "mockserver(cassettes=..., options=[...], misses=False): the cassettes of the fixture `mockserver`, relative to the"
        " folder of the test, and its options; misses=True permits requests without an answer.",
    )


def pytest_unconfigure(config):
    for server in config.stash.get(_servers, {}).values():
        server.stop()


@pytest.fixture
def mockserver(request):
    """A running `MockServer`. Pass its `url` to the client under test."""
    wishes = _wishes(request.node)
    key = (tuple(_cassettes(request.node, wishes)), tuple(wishes.get("options", request.config.getini("mockserver_options"))))
    servers = request.config.stash[_servers]
    if key not in servers:
        servers[key] = MockServer(key[0], *key[1]).start()
    server = servers[key]
    server.reset()
    request.node.stash[_current] = server
    return server


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    outcome = yield
    server = item.stash.get(_current, None)
    if server is None or _wishes(item).get("misses"):
        return
    misses = "\n".join(server.misses())
    if misses and outcome.excinfo is None:
        outcome.force_exception(pytest.fail.Exception(misses, pytrace=False))
    elif misses:
        item.add_report_section("call", "mockserver", misses)


def _wishes(node):
    wishes = {}
    for marker in reversed(list(node.iter_markers("mockserver"))):
        wishes.update(marker.kwargs)
    return wishes


def _cassettes(node, wishes):
    """Returns the cassettes of the marker or of the ini file, or the nearest folder `cassettes` above the test."""
    if "cassettes" in wishes:
        named = wishes["cassettes"]
        return [str(node.path.parent / one) for one in ([named] if isinstance(named, (str, os.PathLike)) else named or [])]
    root = node.config.rootpath
    if node.config.getini("mockserver_cassettes"):
        return [str(root / one) for one in node.config.getini("mockserver_cassettes")]
    for folder in node.path.parents:
        if (folder / "cassettes").is_dir():
            return [str(pathlib.Path(folder / "cassettes"))]
        if folder == root:
            break
    return []
