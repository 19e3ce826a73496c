package import CassetteJSON

/// The findings of many exchanges, and the part of the document that they cover.
package struct ContractReport: Sendable {
  /// The result of checking one exchange.
  package struct Row: Sendable {
    package var file: String
    package var line: Int
    var id: String
    package var request: String
    package var result: ContractCheck.Result

    package init(file: String, line: Int, id: String, request: String, result: ContractCheck.Result) {
      (self.file, self.line, self.id, self.request, self.result) = (file, line, id, request, result)
    }
  }

  /// An operation, with the number of exchanges for each documented status.
  package struct Coverage: Sendable {
    var operation: String
    var statuses: [(status: String, count: Int)]
    package var isCovered: Bool { statuses.contains { $0.count > 0 } }
  }

  package private(set) var rows: [Row] = []
  private let operations: [OpenAPIOperation]

  package init(_ documents: [OpenAPIDocument]) { operations = documents.flatMap(\.operations) }

  package mutating func append(_ row: Row) { rows.append(row) }

  package func count(_ severity: ContractFinding.Severity) -> Int {
    rows.reduce(0) { $0 + $1.result.findings.count { $0.severity == severity } }
  }

  /// The numbers of exchanges by operation and documented status, in the order of the document.
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

  // MARK: JSON

  /// The report as a JSON object: counts, exchanges with their findings, and coverage.
  package var json: String {
    let json = JSONWriter.object { report in
      report.member("exchanges", rows.count)
      report.member("errors", count(.error))
      report.member("warnings", count(.warning))
      report.array("recordings", of: rows) { row, object in
        object.member("file", row.file)
        object.member("line", row.line)
        object.member("id", row.id)
        object.member("request", row.request)
        object.member("operation", row.result.operation?.name)
        object.member("response", row.result.response)
        object.array("findings", of: row.result.findings) { $0.write(to: &$1) }
      }
      report.array("coverage", of: coverage) { entry, object in
        object.member("operation", entry.operation)
        object.object("responses") { statuses in
          for (status, count) in entry.statuses { statuses.member(status, count) }
        }
      }
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }
}

extension ContractFinding {
  /// Writes the members of the finding into a JSON object.
  package func write(to object: inout JSONWriter) {
    object.member("severity", severity.rawValue)
    object.member("place", place)
    object.member("message", words)
    if let rule { object.member("rule", rule) }
  }
}
