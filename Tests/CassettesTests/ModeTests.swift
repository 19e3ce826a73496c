import Cassettes
import Testing

@Suite struct ModeTests {
  @Test(arguments: [
    (CassetteMode?.none, [String: String](), CassetteMode.replay),
    (.record, [:], .record),
    (.record, ["CASSETTE_MODE": "replay"], .replay),
    (.replay, ["CASSETTE_MODE": "record"], .replay),
    (nil, ["CASSETTE_MODE": "record-missing"], .recordMissing),
    (nil, ["CASSETTE_MODE": "Record_Missing"], .recordMissing),
    (nil, ["CASSETTE_MODE": "refresh"], .record),
    (nil, ["CASSETTE_MODE": ""], .replay),
    (nil, ["CI": "true"], .replay),
    (nil, ["CI": "false", "CASSETTE_MODE": "record"], .record),
    (.record, ["CI": "true", "CASSETTE_MODE": "record"], .record),
    (nil, ["CI": "true", "CASSETTE_MODE": "record", "CASSETTE_RECORD_IN_CI": "true"], .record),
  ])
  func `the environment overrides the mode of the code, and the default is replay`(
    _ code: CassetteMode?, _ environment: [String: String], _ expected: CassetteMode
  ) throws {
    #expect(try CassetteMode.resolved(code, environment: environment) == expected)
  }

  @Test(arguments: [
    (CassetteMode?.none, ["CASSETTE_MODE": "recrod"], "CASSETTE_MODE=recrod is not a mode: did you mean record?"),
    (
      nil, ["CI": "true", "CASSETTE_MODE": "record"],
      "CI is set: not recording, although CASSETTE_MODE=record requests it; "
        + "to record here, set CASSETTE_RECORD_IN_CI=true as well"
    ),
    (
      .recordMissing, ["CI": "1"],
      "CI is set: not recording, although the code requests it; "
        + "to record here, set CASSETTE_MODE=record-missing as well"
    ),
  ])
  func `an unknown mode, or recording in CI without a second setting, is refused with the reason`(
    _ code: CassetteMode?, _ environment: [String: String], _ message: String
  ) {
    #expect(throws: CassetteModeError.self) { try CassetteMode.resolved(code, environment: environment) }
    do {
      _ = try CassetteMode.resolved(code, environment: environment)
    } catch {
      #expect(error.description == message)
    }
  }

  @Test func `only the mode refresh renews dates`() {
    #expect(CassetteMode.renewsDates(["CASSETTE_MODE": "Refresh"]))
    #expect(!CassetteMode.renewsDates(["CASSETTE_MODE": "record"]))
    #expect(!CassetteMode.renewsDates([:]))
  }

  @Test func `every mode except replay records`() {
    #expect(CassetteMode.allCases.filter(\.records) == [.recordMissing, .record])
  }
}
