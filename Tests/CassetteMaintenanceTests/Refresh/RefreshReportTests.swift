import CassetteHTTP
import CassetteRecording
import Cassettes
import TestSupport
import Testing

@testable import CassetteMaintenance

@Suite struct RecordingAgeTests {
  private func cassette(_ times: String?...) -> Cassette {
    var cassette = Cassette(name: "github")
    cassette.interactions = times.enumerated().map { index, time in
      Interaction(
        id: "get-\(index)", method: .get, url: "/\(index)", outcome: .response(RecordedResponse(status: 200)),
        recorded: time.map { RecordedFacts(at: $0) })
    }
    return cassette
  }

  private let age = RecordingAge(90 * 86_400, "90d", now: "2026-11-22T00:00:00Z")

  @Test func `a cassette with old recordings has one finding at the oldest recording`() {
    let found = age.findings(
      in: [cassette("2026-08-23T23:59:59Z", "2026-08-24T00:00:01Z", "2025-01-01T00:00:00+02:00")])
    #expect(found.map(\.severity) == [.error])
    #expect(
      found.first?.message
        == "2 of 3 recordings are older than 90d, the oldest, \"get-2\", of 2025-01-01T00:00:00+02:00")
    #expect(
      found.first?.suggestion == "record it again: mockserver refresh --older-than 90d github; in Swift tests: "
        + "CASSETTE_MODE=refresh swift test")
  }

  @Test func `recordings without a date are a warning`() {
    let found = age.findings(in: [cassette("2026-11-01T00:00:00Z", nil)])
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message == "1 of 2 recordings have no date")
  }

  @Test func `recent recordings have no finding`() {
    #expect(age.findings(in: [cassette("2026-11-21T00:00:00Z")]).isEmpty)
  }
}

@Suite struct RefreshComparisonTests {
  private func response(_ json: String, _ headers: HTTPHeaders = [:]) -> RecordedResponse {
    RecordedResponse(status: 200, headers: headers, body: .storing(Array(json.utf8)))
  }

  private func comparison(
    _ old: RecordedResponse, _ answer: RecordedResponse, _ new: RecordedResponse?, accept: String...
  ) throws -> RefreshComparison {
    var accepted = IgnoredPlaces()
    for place in accept {
      let isPlace = accepted.insert(place)
      #expect(isPlace)
    }
    let shape = try ResponseComparison.differences(old, answer)
    return try RefreshComparison(old, answer, new, shape: shape, accepting: accepted)
  }

  @Test func `differences are classified as shape, value or noise`() throws {
    let old = response(#"{"a": 1, "gone": true, "at": "x", "list": [{"n": 1}]}"#, ["Date": "1", "Link": "a"])
    let answer = response(#"{"a": 2, "at": "y", "list": [{"n": "1", "new": 1}]}"#, ["Date": "2", "Link": "b"])
    let new = response(#"{"a": 2, "at": "x", "list": [{"n": "1", "new": 1}]}"#, ["Date": "1", "Link": "b"])
    let found = try comparison(old, answer, new)
    #expect(Set(found.shape.map(\.path)) == ["$.gone", "$.list[*].n", "$.list[*].new"])
    #expect(found.shape.map(\.isError) == [true, true, false])
    #expect(Set(found.values.map(\.path)) == ["$.a", "header:Link"])
    #expect(found.values.first { $0.path == "$.a" } == RefreshedValue(path: "$.a", old: "1", new: "2"))
    #expect(Set(found.noise) == ["$.at", "header:Date"])
  }

  @Test func `a refresh comparison does not list accepted places`() throws {
    let old = response(#"{"a": 1, "gone": true, "list": [{"n": 1}, {"n": 2}]}"#, ["Link": "a"])
    let new = response(#"{"a": 2, "list": [{"n": 3}, {"n": 4}]}"#, ["Link": "b"])
    let found = try comparison(old, new, new, accept: "$.list[*].n", "$.gone", "header:link")
    #expect(found.shape.isEmpty)
    #expect(found.values.map(\.path) == ["$.a"])
  }

  @Test func `a redacted value is not noise`() throws {
    let old = response(#"{"token": "{{secret:1}}", "n": 1}"#)
    let found = try comparison(old, response(#"{"token": "very-secret-value", "n": 1}"#), nil)
    #expect(found.values.isEmpty)
    #expect(found.noise.isEmpty)
  }

  @Test func `a body that is not JSON is compared by its length`() throws {
    let found = try comparison(response("one"), response("three"), response("three"))
    #expect(found.values == [RefreshedValue(path: "body", old: "3 bytes", new: "5 bytes")])
  }
}

@Suite struct RefreshReportTests {
  private func recording(_ id: String, _ outcome: RefreshedRecording.Outcome) -> RefreshedRecording {
    RefreshedRecording(cassette: "a.json", line: 3, id: id, request: "GET /\(id)", outcome: outcome)
  }

  @Test func `a refresh report lists shapes, values, noise and skipped requests in this order`() {
    var report = RefreshReport()
    var changed = recording("get-user", .taken)
    changed.noise = ["header:Date"]
    changed.values = [
      RefreshedValue(path: "$.n", old: "1", new: "2"), RefreshedValue(path: "$.b", old: "`x`", new: nil),
    ]
    changed.shape = [
      .error(.gone, "$.login", "was a string, is gone"), .information(.new, "$.more", "is new, a string"),
    ]
    report.append(recording("get-same", .same))
    report.append(recording("post-a", .notAsked("POST may change data")))
    report.append(recording("post-b", .notAsked("POST may change data")))
    report.append(recording("get-down", .unanswered("http://a.test did not respond")))
    report.append(changed)
    #expect(report.summary == "3 requests sent: 1 unchanged, 1 of another shape, 1 without a response; 2 skipped")
    #expect(
      report.markdown == """
        # Refreshed recordings

        3 requests sent: 1 unchanged, 1 of another shape, 1 without a response; 2 skipped.

        ## Shape

        Changed types, statuses and fields.

        - `get-user`, GET /get-user (a.json:3)
          - `$.login`: was a string, is gone
          - `$.more`: is new, a string (compatible)

        ## Values

        - `get-user`, GET /get-user (a.json:3)
          - `$.n`: `1` → `2`
          - `$.b`: `'x'` is gone

        ## Noise

        Values that differ on every request; the recorded values are kept.

        - `get-user`, GET /get-user (a.json:3)
          - `header:Date`

        ## No response

        - http://a.test did not respond: `get-down`

        ## Skipped

        - POST may change data: `post-a`, `post-b`

        """)
  }

  @Test func `Markdown characters in a recording are escaped`() {
    var report = RefreshReport()
    report.append(
      RefreshedRecording(
        cassette: "a.json", line: 1, id: "a`b", request: "GET /<b>[x](y)\n# z", outcome: .kept("*why*")))
    #expect(report.markdown.contains("- \\*why\\*: `a'b`"))
    var changed = RefreshedRecording(cassette: "a_b", line: 1, id: "a", request: "GET /<b>\n# z", outcome: .taken)
    changed.noise = ["$"]
    report.append(changed)
    #expect(report.markdown.contains("- `a`, GET /\\<b\\>\\\\u{a}\\# z (a\\_b:1)"))
  }
}
