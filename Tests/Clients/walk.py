"""Follows every link of an API from ADDRESS/api/ with requests, and prints the number of answered URLs."""
import sys

import requests

base = sys.argv[1]
session = requests.Session()
session.trust_env = False
waiting, seen = [base + "/api/"], {base + "/api/"}


def links(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from links(item)
    elif isinstance(value, str) and value.startswith(("http://", "https://")):
        yield value


while waiting:
    answer = session.get(waiting.pop(), timeout=10)
    assert answer.status_code == 200, answer.url
    for link in links(answer.json()):
        assert link.startswith(base + "/"), f"{link} leads outside of the mock server"
        if link not in seen:
            seen.add(link)
            waiting.append(link)
print(len(seen))
