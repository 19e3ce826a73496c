import CassetteJSON
import MockServerConsole
import Testing

struct `Findings report` {
  private static let report: FindingsReport = {
    var report = FindingsReport(name: "check")
    report.cases = [
      FindingsReport.Case(group: "check", name: "a b.json"),
      FindingsReport.Case(
        group: "check", name: "<c>",
        findings: [
          FindingsReport.Finding(
            .error, rule: "cassette", "a | b & \"c\"\u{1}", file: "a b/ü.json", line: 3, column: 2),
          FindingsReport.Finding(.warning, rule: "cassette", "later", file: "a b/ü.json"),
        ]),
    ]
    return report
  }()

  @Test func `a JUnit report fails cases with errors and escapes reserved XML characters`() {
    #expect(
      Self.report.text(as: .junit) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites><testsuite name="check" tests="2" failures="1" skipped="0">
        <testcase classname="check" name="a b.json"></testcase>
        <testcase classname="check" name="&lt;c&gt;"><failure message="a | b &amp; &quot;c&quot;\u{fffd} (a b/ü.json:3)">\
        a | b &amp; &quot;c&quot;\u{fffd} (a b/ü.json:3)</failure><system-out>later</system-out></testcase>
        </testsuite></testsuites>

        """)
  }

  @Test func `a SARIF report has one result per finding, with its file as a URI`() throws {
    let sarif = try #require(JSONValue(Array(Self.report.text(as: .sarif).utf8)))
    let results = try #require(sarif["runs"]?.elements.first?["results"]?.elements)
    #expect(results.compactMap { $0["level"]?.string } == ["error", "warning"])
    let place = try #require(results[0]["locations"]?.elements.first?["physicalLocation"])
    #expect(place["artifactLocation"]?["uri"]?.string == "a%20b/%C3%BC.json")
    #expect(place["region"]?["startLine"]?.integer == 3)
    #expect(results[1]["locations"]?.elements.first?["physicalLocation"]?["region"] == nil)
  }

  @Test func `a Markdown report is a table with pipes in cells escaped`() {
    #expect(
      Self.report.text(as: .markdown) == """
        ### mockserver check

        2 checked: 1 error, 1 warning.

        | | place | finding |
        |---|---|---|
        | error | a b/ü.json:3 | a \\| b &amp; "c"  |
        | warning | a b/ü.json | later |

        """)
  }

  @Test func `a JSON report counts errors and lists cases without findings`() throws {
    let json = try #require(JSONValue(Array(Self.report.text(as: .json).utf8)))
    #expect(json["errors"]?.integer == 1)
    #expect(json["cases"]?.elements.map { $0["findings"]?.elements.count } == [0, 2])
  }
}
