import CassetteHTTP
import CassetteSecrets
import Cassettes
import TestSupport
import Testing

@testable import CassetteRecording

@Suite struct RedactionUseTests {
  private static let body = #"{"account": {"iban": "DE89370400440532013000", "n": [{"pan": "1"}]}}"#

  /// Records an exchange with a redaction, and returns the matched and unmatched places.
  private func use(_ places: [CassetteRedaction.Place], into cassette: Cassette = Cassette(name: "a")) throws
    -> RedactionUse
  {
    let redaction = places.reduce(CassetteRedaction.standard) { $0.redacting($1) }
    return try merged(Recording(into: cassette, redaction: redaction)).changes.redaction
  }

  /// Records an exchange, and returns the merged cassette and its changes.
  private func merged(_ recording: Recording) throws -> (cassette: Cassette, changes: Recording.Changes) {
    let request = HTTPRequest(target: try #require(HTTPTarget("/a?customer=7")), headers: [("X-Team", "blue")])
    let token = recording.begin(request, origin: "https://a.test")
    recording.finish(
      token,
      RecordedResponse(
        status: 200, headers: [("Content-Type", "application/json")], body: .storing(Array(Self.body.utf8))))
    return try recording.merged()
  }

  @Test(arguments: [
    (CassetteRedaction.Place.json("$.acount.iban"), CassetteRedaction.Place?.some(.json("$.account.iban"))),
    (.json("$.account.pan"), .json("$.account.n[*].pan")), (.json("$.nothing.at.all"), nil),
    (.header("X-Teams"), .header("X-Team")), (.query("custmer"), .query("customer")), (.form("pass"), nil),
  ])
  func `a place that matches nothing is listed with the nearest existing place`(
    _ place: CassetteRedaction.Place, _ nearest: CassetteRedaction.Place?
  ) throws {
    let unmatched = try use([place]).unmatched
    #expect(unmatched.count == 1)
    #expect(unmatched.first?.nearest == nearest)
  }

  @Test func `places that match something and values are not listed as unmatched`() throws {
    let places: [CassetteRedaction.Place] = [
      .json("$.account.iban"), .json("$..pan"), .header("X-Team"), .query("customer"), .value("DE893704004405"),
      .value("not there at all"),
    ]
    let use = try use(places)
    #expect(use.unmatched.isEmpty)
    let expected: Set<CassetteRedaction.Place> = [
      .json("$.account.iban"), .json("$..pan"), .header("x-team"), .query("customer"),
    ]
    #expect(use.matched.isSuperset(of: expected))
  }

  @Test func `a place that matches an earlier recording is not listed as unmatched`() throws {
    var cassette = Cassette(name: "a")
    cassette.interactions = [
      Interaction(
        method: .get, url: "/b",
        outcome: .response(RecordedResponse(status: 200, body: .storing(Array(#"{"ssn2": "{{secret:1}}"}"#.utf8)))))
    ]
    #expect(try use([.json("$.ssn2")], into: cassette).unmatched.isEmpty)
    #expect(try use([.json("$.ssn3")], into: cassette).unmatched.count == 1)
  }

  @Test func `the report of an unmatched place proposes the corrected option`() throws {
    let use = try use([.json("$.acount.iban"), .form("pass")])
    #expect(
      use.lines() == [
        #".redacting(.form("pass")) matched nothing; check the name in the recorded exchanges"#,
        #".redacting(.json("$.acount.iban")) matched nothing; did you mean .redacting(.json("$.account.iban"))?"#,
      ])
    #expect(
      use.lines(besides: [.form("pass")], \.option) == [
        "--redact 'json:$.acount.iban' matched nothing; did you mean --redact 'json:$.account.iban'?"
      ])
  }

  @Test func `a value that an earlier redaction removed is reported with the option that removes it`() throws {
    let narrow = CassetteRedaction.standard.redacting(.json("$..pan"))
    let wide = narrow.redacting(.json("$.account.iban"))
    let first = try merged(Recording(into: Cassette(name: "a"), redaction: wide))
    #expect(first.changes.redaction.bared.isEmpty)
    let again = try merged(Recording(into: first.cassette, redaction: narrow))
    #expect(again.changes.changed.count == 1)
    #expect(
      again.changes.redaction.lines(\.option) == [
        "a previously removed value is now recorded in the clear: remove it with --redact 'json:$.account.iban'"
      ])
  }
}
