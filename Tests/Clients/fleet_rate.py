"""Compares the requests per second of one, two and three replicas behind nginx with the sum of direct requests to them.

Each replica gets a small share of a processor (a Linux control group, as root), so that the replicas are the limit and not
the balancer, even with two processors. Needs nginx and wrk: .ci/fleet rate [SHARE [ROUNDS [SECONDS]]]
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MOCKSERVER = sys.argv[1]
SHARE = float(sys.argv[2]) if len(sys.argv) > 2 else 0.02
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 2
sys.argv = [sys.argv[0], MOCKSERVER, "0", "0"]
import fleet  # noqa: E402

LUA = """local number, headers = 0, {}
request = function()
  number = number + 1
  headers["X-Mock-Session"] = "session-" .. number % 9973
  return wrk.format("GET", "/a", headers)
end
"""


class Share:
    """A control group that limits a process to a share of one processor."""

    def __init__(self, name):
        self.path = f"/sys/fs/cgroup/cpu/{name}" if os.path.isdir("/sys/fs/cgroup/cpu") else f"/sys/fs/cgroup/{name}"
        os.makedirs(self.path, exist_ok=True)

    def write(self, file, text):
        with open(f"{self.path}/{file}", "w") as target:
            target.write(text)

    def limit(self, process, share):
        # The minimum quota is one millisecond.
        period = 50_000
        if os.path.exists(f"{self.path}/cpu.max"):
            self.write("cpu.max", f"{int(share * period)} {period}")
        else:
            self.write("cpu.cfs_period_us", str(period))
            self.write("cpu.cfs_quota_us", str(int(share * period)))
        self.write("cgroup.procs", str(process.pid))

    def lift(self):
        if os.path.exists(f"{self.path}/cpu.max"):
            self.write("cpu.max", "max")
        else:
            self.write("cpu.cfs_quota_us", "-1")

    def remove(self):
        os.rmdir(self.path)


def rate(port, script):
    """Returns the requests per second. Exits if an answer is not a 200."""
    command = ["wrk", "-t1", "-c1200", "--timeout", "20s", f"-d{SECONDS}", "-s", script, f"http://127.0.0.1:{port}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        sys.exit(f".ci/fleet rate: {text}")
    return float(re.search(r"Requests/sec: +([0-9.]+)", text).group(1))


def cost(process, measure):
    """Returns the processor time of a process for one request, in microseconds."""

    def spent():
        tasks = f"/proc/{process.pid}/task"
        return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0]) for task in os.listdir(tasks))

    before = spent()
    answered = measure() * SECONDS
    return (spent() - before) / 1000 / answered


def nginx(folder, ports, number):
    front = fleet.free_port()
    own = f"{folder}/{number}"
    os.makedirs(own)
    servers = "\n".join(f"    server 127.0.0.1:{port} weight=64;" for port in ports)
    with open(f"{own}/nginx.conf", "w") as file:
        file.write(fleet.NGINX.format(folder=own, port=front, servers=servers)
            .replace("keepalive 16", "keepalive 1500").replace("worker_connections 1024", "worker_connections 4096"))
    process = subprocess.Popen(["nginx", "-p", own, "-c", f"{own}/nginx.conf"])
    fleet.wait_for(front)
    return process, front


def main(folder):
    script, cassette = f"{folder}/sessions.lua", f"{folder}/a.json"
    with open(script, "w") as file:
        file.write(LUA)
    with open(cassette, "w") as file:
        file.write('{"cassette":1,"interactions":[{"request":{"method":"GET","url":"/a"},'
                   '"response":{"status":200,"body":{"json":{"answer":"' + "x" * 900 + '"}}}}]}')
    ports = [fleet.free_port() for _ in range(3)]
    replicas = [subprocess.Popen(
        [MOCKSERVER, "--cassettes", cassette, "--port", str(port), "--log", "none", "--loops", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for port in ports]
    shares, fronts = [Share(f"fleet-{port}") for port in ports], []
    try:
        for port in ports:
            fleet.wait_for(port)
        fronts = [nginx(folder, ports[:count], count) for count in (1, 2, 3)]
        for share, replica in zip(shares, replicas):
            share.limit(replica, SHARE)
        rates = {count: [] for count in (1, 2, 3)}
        for number in range(ROUNDS):
            alone = [rate(port, script) for port in ports]
            for count in (1, 2, 3):
                through = rate(fronts[count - 1][1], script)
                rates[count].append((through, through / sum(alone[:count])))
        for count, found in rates.items():
            ratios = sorted(ratio for _, ratio in found)
            print(f"{count} replicas of {SHARE:.0%} of a processor: {statistics.median(one for one, _ in found):.0f} requests per "
                  f"second behind nginx, {statistics.median(ratios):.2f} of their sum ({ratios[0]:.2f} to {ratios[-1]:.2f})")
        for share in shares:
            share.lift()
        full = statistics.median(rate(fronts[2][1], script) for _ in range(ROUNDS))
        print(f"3 replicas without a limit: {full:.0f} requests per second, limited by nginx")
        # The processor time for a request determines the possible rate, independent of the load of the machine.
        costs = [(cost(replicas[0], lambda: rate(ports[0], script)), cost(replicas[0], lambda: rate(fronts[0][1], script)))
                 for _ in range(ROUNDS)]
        direct, behind = (statistics.median(each) for each in zip(*costs))
        print(f"processor time of a replica for a request: {direct:.1f} µs for direct requests, {behind:.1f} µs behind nginx, "
              f"which makes {direct / behind:.2f} of the sum")
        print("load of the machine:", " ".join(f"{one:.1f}" for one in os.getloadavg()))
    finally:
        for process in [*replicas, *(front for front, _ in fronts)]:
            process.terminate()
            process.wait()
        time.sleep(0.2)
        for share in shares:
            share.remove()


if __name__ == "__main__":
    for program in ("nginx", "wrk"):
        if shutil.which(program) is None:
            sys.exit(f".ci/fleet rate: {program} is not installed")
    folder = tempfile.mkdtemp(prefix="fleet-rate-")
    try:
        main(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
