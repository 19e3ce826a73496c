internal import CassetteJSON
internal import CassetteSystem

extension FindingsReport {
  /// The report as a SARIF 2.1.0 log, with a result for each finding.
  var sarif: String {
    var json = JSONWriter()
    json.object { log in
      log.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      log.member("version", "2.1.0")
      log.array("runs") { runs in
        runs.object { run in
          run.object("tool") { $0.object("driver") { $0.member("name", "mockserver") } }
          run.array("results") { results in
            for finding in findings { results.object { Self.write(finding, to: &$0) } }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private static func write(_ finding: Finding, to result: inout JSONWriter) {
    result.member("ruleId", finding.rule)
    result.member("level", finding.severity.rawValue)
    result.object("message") { $0.member("text", finding.message) }
    result.array("locations") { list in
      list.object { location in
        location.object("physicalLocation") { place in
          place.object("artifactLocation") { $0.member("uri", uri(finding.file)) }
          guard finding.line > 0 else { return }
          place.object("region") { region in
            region.member("startLine", finding.line)
            if finding.column > 0 { region.member("startColumn", finding.column) }
          }
        }
      }
    }
  }

  /// Returns a path as a URI reference (RFC 3986 §4.2), percent-encoded if necessary.
  private static func uri(_ path: String) -> String {
    var text: [UInt8] = []
    for byte in path.utf8 {
      text += ofURIs.contains(byte) ? [byte] : [UInt8(ascii: "%")] + Hexadecimal.digits(of: byte, isUpper: true)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let ofURIs = ByteSet.word.adding("/-._~!$&'()*+,;=@")

  /// The report as a JSON object: counts, and the cases with their findings.
  var json: String {
    var json = JSONWriter()
    json.object { report in
      report.member("report", name)
      for severity in [Severity.error, .warning, .note] { report.member("\(severity.rawValue)s", count(severity)) }
      report.array("cases") { list in
        for entry in cases {
          list.object { object in
            object.member("group", entry.group)
            object.member("name", entry.name)
            if entry.isSkipped { object.member("skipped", true) }
            object.array("findings") { list in
              for finding in entry.findings { list.object { Self.describe(finding, in: &$0) } }
            }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private static func describe(_ finding: Finding, in object: inout JSONWriter) {
    object.member("severity", finding.severity.rawValue)
    object.member("rule", finding.rule)
    object.member("message", finding.message)
    object.member("file", finding.file)
    if finding.line > 0 { object.member("line", finding.line) }
    if finding.column > 0 { object.member("column", finding.column) }
  }
}
