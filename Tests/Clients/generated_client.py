"""Calls every operation of the control API with the client that openapi-python-client makes of openapi.json.

    python generated_client.py ADDRESS DOCUMENT FOLDER

ADDRESS is a server that plays steering.json, DOCUMENT its openapi.json, and FOLDER the generated package's parent folder.
"""
import importlib
import inspect
import json
import pathlib
import re
import sys

address, document, folder = sys.argv[1:]
sys.path.insert(0, folder)
package = next(path.parent.name for path in pathlib.Path(folder).glob("*/client.py"))
client = importlib.import_module(package).Client(base_url=address, timeout=10)
models = importlib.import_module(f"{package}.models")
paths = json.load(open(document))["paths"].values()
documented = {operation["operationId"]: operation for path in paths for operation in path.values()}

stub = {"id": "made", "request": {"method": "GET", "url": "/made"}, "response": {"status": 200, "body": {"json": [1]}}}
request = {"request": {"method": "GET", "url": "/made"}}
parameters = {"id": "made", "name": "made", "path": "made"}
# The calls that change the server, in this order, and the statuses that they must have.
changes = [
    ("postInteractions", stub, 201), ("putInteractionsId", stub, 200), ("getInteractionsId", None, 200),
    ("putSettings", {"latency": None, "faults": []}, 200), ("postGates", {"name": "made", **request}, 201),
    ("getGatesName", None, 200), ("deleteGatesName", None, 200), ("postWait", {**request, "seconds": 1}, 200),
    ("postVerify", {"order": [request]}, 200), ("deleteInteractionsId", None, 200), ("postReset", {}, 200),
]


def name(operation):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), operation)


def body(call, value):
    """Returns a JSON value as the model that a call accepts."""
    annotation = str(inspect.signature(call).parameters["body"].annotation)
    names = re.findall(r"[A-Z]\w+", re.sub(r"list\[[^]]*\]", "", annotation))
    model = next(name for name in names if hasattr(models, name))
    return getattr(models, model).from_dict(value)


def call(operation, value=None):
    module = importlib.import_module(f"{package}.api.default.{name(operation)}")
    wanted = inspect.signature(module.sync_detailed).parameters
    arguments = {key: parameters[key] for key in wanted if key in parameters}
    if "requestBody" in documented[operation]:
        arguments["body"] = body(module.sync_detailed, value or {})
    answer = module.sync_detailed(client=client, **arguments)
    return int(answer.status_code)


for operation, value, status in changes:
    if operation == "postWait":
        client.get_httpx_client().get("/made")
    found = call(operation, value)
    assert found == status, f"{operation}: {found} instead of {status}"
others = documented.keys() - {operation for operation, _, _ in changes}
for operation in others:
    # Without useful arguments, some calls are refused; the generated client must read the problem.
    status = call(operation)
    assert status < 500, f"{operation}: {status}"
print(len(documented))
