import CassetteHTTP
import Cassettes

private let long = Body.text(String(repeating: "0123456789", count: 100))
private let pieces = Body.chunks(["ab", "cd", "ef"].map { BodyChunk(bytes: Array($0.utf8)) })

/// Exchanges with faults.
let faults: [Exchange] =
  interruptions + alterations + [
    Exchange(
      name: "a status twice, then the recordings from the first",
      recordings: ["1", "2"].map { .made(body: .text($0)) },
      times: 4, faults: [.status(429, headers: ["Retry-After": "1"], body: "slow down", first: 2)]),
    Exchange(
      name: "two statuses in sequence", recordings: [.made(body: .text("1"))], times: 3,
      faults: [.status(503, first: 1), .status(500, first: 1)]),
    Exchange(
      name: "a recording that plays once is not used up", recordings: [.made(body: .text("1"), repeats: .once)],
      times: 3, faults: [.reset(first: 1)]),
    Exchange(name: "a status instead of a miss", faults: [.status(503)]),
    Exchange(name: "a miss although there are faults", faults: [.latency(.milliseconds(1)), .truncate]),
    Exchange(
      name: "a preflight is not affected by a fault", method: "OPTIONS",
      headers: [("Origin", "http://localhost"), ("Access-Control-Request-Method", "POST")],
      recordings: [.made(.post)], faults: [.status(503)]),
    Exchange(
      name: "a page of another origin may read a status", headers: [("Origin", "http://localhost")],
      faults: [.status(503, body: "no")]),
    Exchange(
      name: "a fault on the target of a redirect",
      recordings: [
        .made(status: 302, headers: [("Location", "/b/c")]), .made(.get, "/b/c", body: .text("there")),
      ], faults: [.status(500, on: "/b/{name}")]),
  ]

private let interruptions: [Exchange] =
  ["GET", "HEAD", "POST"].map { method in
    Exchange(
      name: "\(method) and a status", method: method, recordings: [.made(HTTPMethod(method), body: long)],
      faults: [.status(503, body: "later")])
  }
  + [204, 304, 401].map { status in
    Exchange(name: "a fault's \(status)", recordings: [.made(body: long)], faults: [.status(status, body: "x")])
  } + [
    Exchange(name: "a reset", recordings: [.made(body: long)], faults: [.reset]),
    Exchange(
      name: "a reset after a delay", recordings: [.made(body: long)], faults: [.latency(.milliseconds(5)), .reset]),
    Exchange(name: "a time-out", recordings: [.made(body: long)], timeout: 1, faults: [.timeout(on: "/a")]),
    Exchange(name: "a time-out on another path", recordings: [.made(body: long)], faults: [.timeout(on: "/b")]),
    Exchange(name: "a reset on another method", recordings: [.made(body: long)], faults: [.reset(on: "POST /a")]),
  ]

private let alterations: [Exchange] =
  [nil, 0, 1, 999, 1_000, 5_000].map { count in
    Exchange(
      name: "cut after \(count.map(String.init) ?? "half")", recordings: [.made(body: long)],
      faults: [.truncate(on: "/*", after: count)])
  } + [
    Exchange(name: "a truncated empty body", recordings: [.made()], faults: [.truncate]),
    Exchange(
      name: "a truncated response to HEAD", method: "HEAD", recordings: [.made(body: long)], faults: [.truncate]),
    Exchange(name: "a truncated streamed body", recordings: [.made(body: pieces)], faults: [.truncate(after: 3)]),
    Exchange(
      name: "a body truncated once", recordings: ["1111", "2222"].map { .made(body: .text($0)) }, times: 2,
      faults: [.truncate(first: 1)]),
    Exchange(
      name: "a truncated redirect",
      recordings: [
        .made(status: 302, headers: [("Location", "/b")], body: long), .made(.get, "/b", body: .text("there")),
      ], faults: [.truncate(on: "/a")]),
    Exchange(name: "a slow body", recordings: [.made(body: long)], faults: [.throttle(bytesPerSecond: 20_000)]),
    Exchange(
      name: "a slow streamed body", recordings: [.made(body: pieces)], faults: [.throttle(bytesPerSecond: 1_000)]),
    Exchange(
      name: "a slow truncated body", recordings: [.made(body: long)],
      faults: [.throttle(bytesPerSecond: 20_000), .truncate(after: 500)]),
    Exchange(name: "a delayed response", recordings: [.made(body: long)], faults: [.latency(.milliseconds(5))]),
    Exchange(
      name: "a response later than the time-out", recordings: [.made(body: long)], timeout: 1,
      faults: [.latency(.seconds(30))]),
    Exchange(
      name: "a delay as recorded", recordings: [.made(body: long, took: RecordedFacts(firstByte: 0.005, total: 0.01))],
      faults: [.latency(.recorded)]),
    Exchange(
      name: "a delay as recorded, with a body later than the time-out",
      recordings: [.made(body: long, took: RecordedFacts(firstByte: 0.005, total: 30))], timeout: 1,
      faults: [.latency(.recorded)]),
    Exchange(
      name: "a delayed range", headers: [("Range", "bytes=1-3")], recordings: [.made(body: long)],
      faults: [.latency(.milliseconds(1)), .throttle(bytesPerSecond: 1_000)]),
  ]
