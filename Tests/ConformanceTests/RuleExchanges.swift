import CassetteHTTP
import Cassettes

private let long = Body.text(String(repeating: "0123456789", count: 100))

extension Interaction {
  /// Returns the interaction with changed rules.
  fileprivate func ruled(
    _ match: (inout MatchRules) -> Void = { _ in }, _ replay: (inout ReplayRules) -> Void = { _ in }
  ) -> Interaction {
    var interaction = self
    match(&interaction.match)
    replay(&interaction.replay)
    return interaction
  }
}

/// Exchanges with rules.
let ruled: [Exchange] =
  [
    Exchange(
      name: "a template", target: "/users/kean/repos",
      recordings: [
        .made(.get, "/users/x/repos", body: .text("t")).ruled({ $0.path = MatchRules.path("/users/{a}/repos") })
      ]
    ),
    Exchange(
      name: "an ignored parameter", target: "/a?page=2&_=1",
      recordings: [.made(.get, "/a?page=2", body: .text("t")).ruled({ $0.query = .init([.init("_", .ignore)]) })]),
    Exchange(
      name: "a required header field that is not sent",
      recordings: [
        .made(body: .text("t")).ruled({ $0.headers = .init([.init("X-A", .all([.contains("1")]))]) })
      ]),
    Exchange(
      name: "a required header field that is sent", headers: [("X-A", "012")],
      recordings: [
        .made(body: .text("plain")),
        .made(body: .text("t")).ruled({ $0.headers = .init([.init("X-A", .all([.contains("1")]))]) }),
      ]),
    Exchange(
      name: "a body matched by rules", method: "POST", headers: [("Content-Type", "application/json")],
      body: #"{"a":1,"at":"now"}"#,
      recordings: [
        .made(.post, body: .text("t")).ruled({
          $0.body = [.json(Array(#"{"a":1}"#.utf8), ignoring: [], extra: true, order: false)]
        })
      ]),
    Exchange(
      name: "the higher priority",
      recordings: [.made(body: .text("low")), .made(body: .text("high")).ruled({ $0.priority = 1 })], times: 3),
    Exchange(
      name: "a change of states",
      recordings: [
        .made(body: .text("1")).ruled(
          { _ in },
          {
            $0.when = [.init("s", "Started")]
            $0.then = [.init("s", "two")]
          }),
        .made(body: .text("2")).ruled(
          { _ in },
          {
            $0.when = [.init("s", "two")]
            $0.then = [.init("s", "Started")]
          }),
      ], times: 5),
    Exchange(
      name: "a state that is never reached",
      recordings: [.made(body: .text("1")).ruled({ _ in }, { $0.when = [.init("s", "never")] })]),
    Exchange(
      name: "a delay of a recording", recordings: [.made(body: long).ruled({ _ in }, { $0.delay = .seconds(0.01) })],
      times: 2),
    Exchange(
      name: "a delay of a recording, longer than the time-out",
      recordings: [.made(body: long).ruled({ _ in }, { $0.delay = .seconds(30) })], timeout: 1),
    Exchange(
      name: "a rule for a delay as recorded",
      recordings: [
        .made(body: long, took: RecordedFacts(firstByte: 0.005, total: 0.01)).ruled({ _ in }, { $0.delay = .recorded })
      ]),
    Exchange(
      name: "a reset, then the next recording",
      recordings: [
        .made(body: .text("1")).ruled({ _ in }, { $0.fault = .reset }), .made(body: .text("2")),
      ], times: 3),
    Exchange(
      name: "a fault of a recording that never answers", recordings: [.made().ruled({ _ in }, { $0.fault = .timeout })],
      timeout: 1),
    Exchange(
      name: "a fault of a recording that truncates its body",
      recordings: [.made(body: long).ruled({ _ in }, { $0.fault = .truncate })]),
    Exchange(
      name: "a rule together with a fault",
      recordings: [.made(body: long).ruled({ _ in }, { $0.delay = .seconds(0.01) })],
      times: 2, faults: [.status(503, first: 1)]),
  ] + empty

#if canImport(FoundationNetworking)
  // The error of an empty reply differs between systems.
  private let empty = [Exchange(name: "an empty reply", recordings: [.made().ruled({ _ in }, { $0.fault = .empty })])]
#else
  private let empty: [Exchange] = []
#endif
