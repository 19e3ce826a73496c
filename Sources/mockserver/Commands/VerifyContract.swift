import CassetteMaintenance
internal import CassetteOpenAPI
import Cassettes
import MockServerConsole

/// The command `verify --openapi`, which checks recordings against a specification without contacting a server.
enum VerifyContract {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(
      invocation.operands, hint: "Name the recordings to verify: mockserver verify --openapi SPEC CASSETTE")
    let reports = try Reports(invocation)
    var checks: [ContractCheck] = []
    for path in invocation.texts(Manual.openAPI) { checks.append(ContractCheck(try document(path))) }
    var report = ContractReport(checks.map(\.document))
    var skipped: [String] = []
    for (file, isNamed) in Paths.files(in: paths) {
      let isKnown = try Generate.recordings(of: file, isNamed: isNamed) {
        (interaction, line, _) throws(CassetteError) in
        let exchange = try ContractExchange(interaction)
        let results = checks.lazy.map { $0.check(exchange) }
        guard let result = results.first(where: { $0.operation != nil }) ?? results.first else { return }
        report.append(
          ContractReport.Row(
            file: file, line: line, id: interaction.id, request: "\(exchange.method) \(exchange.target)", result: result
          ))
      } orThrow: {
        CommandError(.noInput, Printable.escaped("\($0)"))
      }
      if !isKnown { skipped.append(file) }
    }
    guard !report.rows.isEmpty else {
      throw CommandError(.noInput, "no recordings found in \(paths.joined(separator: " "))")
    }
    try reports.write(report.findings)
    Console.output.write(invocation.has(Manual.jsonReport) ? report.json : text(of: report))
    for file in skipped {
      Console.error.write("mockserver: \(Printable.escaped(file)) is not a recording and is skipped\n")
    }
    let covered = report.coverage.filter(\.isCovered).count
    Console.error.write(
      "mockserver: \(counted(report.rows.count, "exchange")): \(counted(report.count(.error), "error")), "
        + "\(counted(report.count(.warning), "warning")); \(covered) of "
        + "\(counted(report.coverage.count, "operation")) covered\n")
    return report.count(.error) == 0 ? .success : .found
  }

  static func document(_ path: String) throws(CommandError) -> OpenAPIDocument {
    do {
      return try SpecificationFile(path).document
    } catch {
      throw CommandError(error.line == 0 ? .noInput : .badCassette, "\(error)")
    }
  }

  private static func text(of report: ContractReport) -> String {
    var text = ""
    for row in report.rows {
      for finding in row.result.findings {
        let severity = finding.severity.rawValue
        let shown = finding.severity == .error ? Console.output.style.red(severity) : severity
        let words = Printable.escaped("\(row.request): \(finding.place): \(finding.words)")
        text += "\(Printable.escaped(row.file)):\(row.line): \(shown): \(words)\n"
      }
    }
    return text
  }
}

extension ContractReport {
  /// The findings as a report with one test case for each exchange.
  fileprivate var findings: FindingsReport {
    var report = FindingsReport(name: "contract")
    report.cases = rows.map { row in
      FindingsReport.Case(
        group: row.result.operation?.name ?? "no operation", name: "\(row.request) (\(row.file):\(row.line))",
        findings: row.result.findings.map { finding in
          FindingsReport.Finding(
            finding.severity == .error ? .error : .warning,
            rule: finding.rule ?? finding.place.split(separator: " ").first.map(String.init) ?? "contract",
            "\(row.request): \(finding.place): \(finding.words)", file: row.file, line: row.line)
        })
    }
    return report
  }
}
