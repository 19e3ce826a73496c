"""Tests the sessions of three replicas behind a balancer, and kills a replica; run by .ci/fleet."""
import concurrent.futures
import http.client
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MOCKSERVER, SESSIONS, STEPS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
REPLICAS, THREADS = 3, 16
# The weight gives each replica many points on the ring, so that the replicas get equal shares of the sessions.

NGINX = """daemon off; worker_processes 1; error_log {folder}/nginx.log; pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  upstream fleet {{
    hash $http_x_mock_session consistent;
{servers}
    keepalive 16;
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://fleet; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_next_upstream error timeout; proxy_connect_timeout 2s;
    }}
  }}
}}
"""

HAPROXY = """defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
frontend in
  bind 127.0.0.1:{port}
  default_backend fleet
backend fleet
  balance hdr(X-Mock-Session)
  hash-type consistent
{servers}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f".ci/fleet: no server listens on port {port}")


def ask(port, path, session=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"X-Mock-Session": session} if session else {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def steps(port, sessions, count, path="/step", threads=THREADS, told=lambda: None):
    """Sends the requests of concurrent sessions and returns the answers of each; calls `told` after each sent request."""

    def run(part):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        answers = {session: [] for session in part}
        for _ in range(count):
            for session in part:
                for attempt in (1, 2):
                    try:
                        connection.request(session.split("-")[0], path, headers={"X-Mock-Session": session})
                        told()
                        answer = connection.getresponse()
                        body = answer.read()
                        answers[session].append(json.loads(body)["n"] if answer.status == 200 else f"status {answer.status}")
                        break
                    except (http.client.HTTPException, OSError) as error:
                        connection.close()
                        if attempt == 2:
                            answers[session].append(repr(error))
        return answers

    parts = [sessions[start::threads] for start in range(threads)]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        merged = {}
        for part in pool.map(run, parts):
            merged.update(part)
        return merged


def sessions_of(port):
    _, body = ask(port, "/__mock/sessions")
    return {entry["name"] if isinstance(entry, dict) else entry for entry in json.loads(body)["sessions"]}


def in_flight(name, front, living, victim):
    """Kills another replica while it holds requests: no answer may be wrong, and waiting clients must get an error or an answer."""
    # A balancer may repeat a GET at another replica, but rarely a POST.
    sessions = [f"{('GET', 'POST')[number % 2]}-flight-{number}" for number in range(min(SESSIONS, 192))]
    count, threads, sent = min(8, STEPS - 1), 48, itertools.count(1)

    def told():
        if next(sent) == len(sessions) * count // 2:
            victim.send_signal(signal.SIGKILL)

    # The replica is killed after half of the requests. Each answer takes 50 ms, so a third of the clients wait for the replica.
    before = steps(front, sessions, 1, "/slow", threads)
    assert all(answers == [1] for answers in before.values()), before
    lost = sessions_of(living[0]) & set(sessions)
    answers = steps(front, sessions, count, "/slow", threads, told)
    assert victim.wait() == -signal.SIGKILL
    wrong, failed, began = [], 0, 0
    for session, seen in answers.items():
        numbers = [one for one in seen if isinstance(one, int)]
        others = [one for one in seen if not isinstance(one, int)]
        failed += len(others)
        cut = next((at for at, number in enumerate(numbers) if number == 1), len(numbers))
        began += cut < len(numbers)
        # A session continues, or, only if the killed replica had the session, it starts again from the beginning.
        is_right = numbers[:cut] == list(range(2, cut + 2)) and numbers[cut:] == list(range(1, len(numbers) - cut + 1))
        if not is_right or (cut < len(numbers) or others) and session not in lost or set(others) - {"status 502", "status 504"}:
            wrong.append((session, session in lost, seen))
    assert not wrong, f"{len(wrong)} sessions got wrong answers: {wrong[:3]}"
    assert began and began <= len(lost)
    print(
        f"ok: {name}: killed with requests in flight: 0 wrong answers of {len(sessions) * count}; {began} of its {len(lost)} "
        f"sessions restarted, {failed} requests got 502, no other client was affected")


def run(name, folder):
    cassettes = f"{folder}/cassettes"
    os.makedirs(cassettes)
    interactions = [
        {"id": f"step-{n}", "request": {"method": "GET", "url": "/step"}, "response": {"status": 200, "body": {"json": {"n": n}}}}
        for n in range(1, STEPS + 1)
    ]
    with open(f"{cassettes}/steps.json", "w") as file:
        slow = [
            {**one, "id": f"{method}-{one['id']}", "request": {"method": method, "url": "/slow"}, "replay": {"delay": 0.05}}
            for method in ("GET", "POST") for one in interactions
        ]
        json.dump({"cassette": 1, "interactions": interactions + slow}, file)
    os.chmod(cassettes, 0o555)
    processes, ports = [], [free_port() for _ in range(REPLICAS)]
    try:
        for port in ports:
            processes.append(
                subprocess.Popen(
                    [MOCKSERVER, "--cassettes", cassettes, "--port", str(port), "--log", "none", "--loops", "1"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for port in ports:
            wait_for(port)
        front = free_port()
        if name == "nginx":
            servers = "\n".join(f"    server 127.0.0.1:{port} weight=64 max_fails=1 fail_timeout=1h;" for port in ports)
            command, config = ["nginx", "-p", folder, "-c"], NGINX
        else:
            servers = "\n".join(f"  server r{port} 127.0.0.1:{port} weight 64 check inter 200ms fall 1" for port in ports)
            command, config = ["haproxy", "-db", "-f"], HAPROXY
        with open(f"{folder}/balancer.conf", "w") as file:
            file.write(config.format(folder=folder, port=front, servers=servers))
        balancer = subprocess.Popen([*command, f"{folder}/balancer.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        processes.append(balancer)
        wait_for(front)
        if name == "nginx":
            assert balancer.poll() is None, "nginx ended"

        sessions = [f"GET-session-{number}" for number in range(SESSIONS)]
        began = time.monotonic()
        half = STEPS // 2
        first = steps(front, sessions, half)
        owners = [sessions_of(port) & set(sessions) for port in ports]
        assert sum(map(len, owners)) == len(sessions) and set().union(*owners) == set(sessions), "a session is on two replicas"
        lost = owners[0]
        processes[0].send_signal(signal.SIGKILL)
        processes[0].wait()
        if name == "haproxy":
            time.sleep(1)
        rest = steps(front, sessions, STEPS - half)
        took = time.monotonic() - began

        expected = list(range(1, STEPS + 1))
        wrong = [one for one in sessions if first[one] != expected[:half]]
        restarted = {one for one in sessions if rest[one] == expected[: STEPS - half]}
        wrong += [one for one in sessions if one not in restarted and rest[one] != expected[half:]]
        assert not wrong, f"{len(wrong)} sessions got wrong answers: {wrong[0]} {first[wrong[0]]} {rest[wrong[0]]}"
        assert restarted == lost, f"the restarted sessions are not those of the killed replica: {sorted(restarted ^ lost)[:5]}"
        print(
            f"ok: {name}: {SESSIONS} sessions of {STEPS} steps over {REPLICAS} replicas "
            f"({', '.join(str(len(owner)) for owner in owners)}), one killed: 0 wrong answers, exactly its {len(lost)} sessions "
            f"restarted; {SESSIONS * STEPS / took:.0f} requests per second with this client")

        # The merged journal of the remaining replicas; the message names the killed replica.
        servers = ",".join(f"http://127.0.0.1:{port}" for port in ports)
        journal = subprocess.run(
            [MOCKSERVER, "journal", "--all", "--json", "--servers", servers, "--session", "GET-session-1"], capture_output=True, text=True)
        merged = json.loads(journal.stdout)
        assert journal.returncode == 69 and f"127.0.0.1:{ports[0]} did not respond" in journal.stderr, journal
        assert len(merged["servers"]) == REPLICAS - 1
        assert all(entry["session"] == "GET-session-1" and entry["server"] in merged["servers"] for entry in merged["entries"])
        living = ",".join(f"http://127.0.0.1:{port}" for port in ports[1:])
        reset = subprocess.run(
            [MOCKSERVER, "reset", "--all"], capture_output=True, text=True, env={**os.environ, "MOCKSERVER_SERVERS": living})
        assert reset.returncode == 0 and reset.stdout.count("is reset") == REPLICAS - 1, reset
        again = steps(front, sessions[:50], 1)
        assert all(answers == [1] for answers in again.values()), again
        print(f"ok: {name}: journal --all names the killed replica, reset --all resets the others")
        in_flight(name, front, ports[1:], processes[1])
    finally:
        for process in processes:
            if process.poll() is None:
                process.terminate()
        for process in processes:
            process.wait()
        os.chmod(cassettes, 0o755)


def main():
    tried = 0
    for balancer in ("nginx", "haproxy"):
        if shutil.which(balancer) is None:
            print(f"skipped: {balancer} is not installed")
            continue
        folder = tempfile.mkdtemp(prefix="fleet-")
        try:
            run(balancer, folder)
            tried += 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f".ci/fleet: {tried} balancers tested")


if __name__ == "__main__":
    main()
