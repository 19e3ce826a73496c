internal import CassetteJSON

/// The findings of many exchanges, and how much of the document they touch.
package struct ContractReport: Sendable {
  /// One exchange that was held to a document.
  package struct Row: Sendable {
    package var file: String
    package var line: Int
    package var id: String
    package var request: String
    package var result: ContractCheck.Result

    package init(file: String, line: Int, id: String, request: String, result: ContractCheck.Result) {
      (self.file, self.line, self.id, self.request, self.result) = (file, line, id, request, result)
    }
  }

  /// An operation, and the statuses of it that exchanges have.
  package struct Coverage: Sendable {
    package var operation: String
    package var statuses: [(status: String, count: Int)]
    package var isCovered: Bool { statuses.contains { $0.count > 0 } }
  }

  package private(set) var rows: [Row] = []
  private let operations: [OpenAPIOperation]

  package init(_ documents: [OpenAPIDocument]) { operations = documents.flatMap(\.operations) }

  package mutating func append(_ row: Row) { rows.append(row) }

  package func count(_ severity: ContractFinding.Severity) -> Int {
    rows.reduce(0) { $0 + $1.result.findings.count { $0.severity == severity } }
  }

  /// The exchanges by operation and documented status, in the order of the document.
  package var coverage: [Coverage] {
    var counts: [String: [String: Int]] = [:]
    for row in rows {
      guard let operation = row.result.operation, let response = row.result.response else { continue }
      counts[operation.name, default: [:]][response, default: 0] += 1
    }
    return operations.map { operation in
      Coverage(
        operation: operation.name,
        statuses: operation.responses.map { ($0.status, counts[operation.name]?[$0.status] ?? 0) })
    }
  }

  // MARK: For programs

  /// One JSON object: counts, exchanges with their findings, coverage.
  package var json: String {
    var json = JSONWriter()
    json.object { report in
      report.member("exchanges", rows.count)
      report.member("errors", count(.error))
      report.member("warnings", count(.warning))
      report.array("recordings") { list in
        for row in rows {
          list.object { object in
            object.member("file", row.file)
            object.member("line", row.line)
            object.member("id", row.id)
            object.member("request", row.request)
            object.member("operation", row.result.operation?.name)
            object.member("response", row.result.response)
            object.array("findings") { list in
              for finding in row.result.findings {
                list.object { object in
                  object.member("severity", finding.severity.rawValue)
                  object.member("place", finding.place)
                  object.member("message", finding.words)
                  if let rule = finding.rule { object.member("rule", rule) }
                }
              }
            }
          }
        }
      }
      report.array("coverage") { list in
        for entry in coverage {
          list.object { object in
            object.member("operation", entry.operation)
            object.object("responses") { statuses in
              for (status, count) in entry.statuses { statuses.member(status, count) }
            }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  /// A JUnit report: a test case for each exchange, failed where it breaks the contract.
  package var junit: String {
    let failed = rows.count { $0.result.isBroken }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites><testsuite name=\"contract\" tests=\"\(rows.count)\" failures=\"\(failed)\">\n"
    for row in rows {
      let name = Self.xml("\(row.request) (\(row.file):\(row.line))")
      text += "<testcase classname=\"\(Self.xml(row.result.operation?.name ?? "no operation"))\" name=\"\(name)\">"
      let errors = row.result.findings.filter { $0.severity == .error }.map { "\($0.place): \($0.words)" }
      if let first = errors.first {
        text += "<failure message=\"\(Self.xml(first))\">\(Self.xml(errors.joined(separator: "\n")))</failure>"
      }
      let warnings = row.result.findings.filter { $0.severity == .warning }.map { "\($0.place): \($0.words)" }
      if !warnings.isEmpty { text += "<system-out>\(Self.xml(warnings.joined(separator: "\n")))</system-out>" }
      text += "</testcase>\n"
    }
    return text + "</testsuite></testsuites>\n"
  }

  /// A SARIF 2.1.0 log: a result for each finding, at the recording's line.
  package var sarif: String {
    var json = JSONWriter()
    json.object { log in
      log.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      log.member("version", "2.1.0")
      log.array("runs") { runs in
        runs.object { run in
          run.object("tool") { $0.object("driver") { $0.member("name", "mockserver") } }
          run.array("results") { results in
            for row in rows { for finding in row.result.findings { results.object { Self.write(finding, row, &$0) } } }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private static func write(_ finding: ContractFinding, _ row: Row, _ result: inout JSONWriter) {
    result.member("ruleId", finding.rule ?? finding.place.split(separator: " ").first.map(String.init) ?? "contract")
    result.member("level", finding.severity.rawValue)
    result.object("message") { $0.member("text", "\(row.request): \(finding.place): \(finding.words)") }
    result.array("locations") { list in
      list.object { location in
        location.object("physicalLocation") { place in
          place.object("artifactLocation") { $0.member("uri", row.file) }
          place.object("region") { $0.member("startLine", row.line) }
        }
      }
    }
  }

  private static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20: escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
