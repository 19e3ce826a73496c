import CassetteHTTP
import CassetteJSON
internal import CassetteMaintenance
internal import CassetteOpenAPI
internal import CassetteSecrets
import Cassettes
import MockServerConsole
internal import MockServerUpstream

/// The results of `verify`, printed as lines or as JSON.
struct VerifyReport {
  /// The result of a recording.
  enum Result: String, CaseIterable {
    case `true`, untrue, unanswered, skipped
  }

  /// A request and the recordings of it.
  struct Row {
    var cassette: String
    private var place: () -> Int = { 0 }
    /// The line number of the recording, which is computed on demand because it is slow in files with long lines.
    var line: Int { place() }
    var id = ""
    /// The ids of the other recordings of the same request.
    var also: [String] = []
    var method = ""
    var url = ""
    var result = Result.skipped
    var differences: [ShapeDifference] = []
    /// The violations of the specification in the response.
    var contract: [ContractFinding] = []
    /// The reason why the request was not sent, got no response, or was not accepted.
    var reason: String?
    var isAccepted = false
    private let recordings: [Int]

    init(_ cassette: Cassette, _ recordings: [Int]) {
      self.cassette = cassette.file ?? cassette.name
      self.recordings = recordings
      if let last = recordings.last { choose(last, in: cassette) }
    }

    /// Selects the recording that the row describes.
    mutating func choose(_ recording: Int, in cassette: Cassette) {
      let interaction = cassette.interactions[recording]
      id = interaction.id
      place = { interaction.place?.line ?? 0 }
      also = recordings.filter { $0 != recording }.map { cassette.interactions[$0].id }
      method = interaction.method.rawValue
      url = SecretNames.masked(url: interaction.url)
    }

    /// Checks the response against the specification that contains the operation.
    ///
    /// The recorded request is not checked.
    mutating func hold(
      _ answer: UpstreamCaller.Answer, to contracts: [ContractCheck], _ question: Verification.Question
    ) {
      guard !contracts.isEmpty else { return }
      let (request, response) = (question.request, answer.response)
      let exchange = ContractExchange(
        method: request.method.rawValue, target: request.pathAndQuery, requestHeaders: request.headers,
        requestBody: request.body, status: response.status.code, headers: response.headers,
        body: answer.isStream ? nil : try? response.body?.bytes())
      let results = contracts.map { $0.check(exchange) }
      guard let found = results.first(where: { $0.operation != nil }) ?? results.first else { return }
      contract = found.findings.filter { found.operation == nil || $0.place.hasPrefix("response") }
      if breaksContract { result = .untrue }
    }

    /// True if the live server violates its specification, which accepting the response does not fix.
    var breaksContract: Bool { contract.contains { $0.severity == .error } }

    /// True if there is an error that was not accepted.
    var isUntrue: Bool { result == .untrue && !isAccepted || breaksContract }

    /// Returns a line for the request, and another for each difference after the first.
    func text(_ style: Style) -> String {
      var notes = differences.map { Printable.escaped($0.isError ? "\($0)" : "\($0) (information)") }
      notes += contract.map {
        Printable.escaped("\($0.place): \($0.words)")
          + ($0.severity == .error ? " (document)" : " (document, information)")
      }
      if isAccepted { notes.append("accepted") }
      if let reason { notes.append(Printable.escaped(result == .untrue ? "not accepted: \(reason)" : reason)) }
      let name = Printable.escaped(id) + (also.isEmpty ? "" : " (+\(also.count))")
      let indent = String(repeating: " ", count: name.count + 4)
      return "\(mark(style)) \(name)" + (notes.isEmpty ? "" : "  ") + notes.joined(separator: "\n\(indent)") + "\n"
    }

    private func mark(_ style: Style) -> String {
      switch result {
      case .true: "✓"
      case .untrue: isAccepted ? style.yellow("✗") : style.red("✗")
      case .unanswered: style.red("?")
      case .skipped: style.dim("-")
      }
    }
  }

  private(set) var rows: [Row] = []

  mutating func append(_ more: [Row]) { rows += more }

  private func count(_ result: Result) -> Int { rows.count { $0.result == result } }

  /// The exit code: 1 if a recording is no longer true, otherwise 69 if a request got no response, otherwise 0.
  var exitCode: ExitCode {
    if rows.contains(where: \.isUntrue) { return .found }
    return count(.unanswered) > 0 ? .unavailable : .success
  }

  /// The summary line, such as `mockserver: 12 requests sent: 10 true, 2 untrue (1 accepted); 3 recordings skipped`.
  var summary: String {
    let untrue = count(.untrue)
    var parts = ["\(count(.true)) true"]
    if untrue > 0 {
      let accepted = rows.count { $0.result == .untrue && !$0.isUntrue }
      parts.append("\(untrue) untrue" + (accepted > 0 ? " (\(accepted) accepted)" : ""))
    }
    if count(.unanswered) > 0 { parts.append("\(count(.unanswered)) without a response") }
    guard rows.count > count(.skipped) else {
      return "mockserver: no request was sent; \(counted(rows.count, "recording")) skipped\n"
    }
    let asked = counted(rows.count - count(.skipped), "request")
    let skipped = count(.skipped) > 0 ? "; \(counted(count(.skipped), "recording")) skipped" : ""
    return "mockserver: \(asked) sent: \(parts.joined(separator: ", "))\(skipped)\n"
  }

  /// The findings for report files, with a case for each request.
  var findings: FindingsReport {
    var report = FindingsReport(name: "verify")
    report.cases = rows.map { row in
      let line = row.line
      func finding(_ severity: FindingsReport.Severity, _ rule: String, _ text: String) -> FindingsReport.Finding {
        FindingsReport.Finding(severity, rule: rule, "\(row.id): \(text)", file: row.cassette, line: line)
      }
      var findings = row.differences.map { difference in
        finding(difference.isError && !row.isAccepted ? .error : .note, difference.kind.rawValue, "\(difference)")
      }
      if let reason = row.reason {
        findings.append(finding(row.result == .unanswered ? .error : .note, row.result.rawValue, reason))
      }
      var entry = FindingsReport.Case(
        group: row.cassette, name: "\(row.method) \(row.url) (\(row.id))", findings: findings)
      entry.isSkipped = row.result == .skipped
      return entry
    }
    return report
  }

  /// The report as a JSON object, which `mockserver help verify` describes.
  var json: String {
    let json = JSONWriter.object { report in
      report.member("asked", rows.count - count(.skipped))
      for result in Result.allCases { report.member(result.rawValue, count(result)) }
      report.array("recordings", of: rows) { Self.write($0, to: &$1) }
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  private static func write(_ row: Row, to object: inout JSONWriter) {
    object.member("cassette", row.cassette)
    object.member("line", row.line)
    object.member("id", row.id)
    object.member("also", row.also)
    object.member("method", row.method)
    object.member("url", row.url)
    object.member("result", row.result.rawValue)
    object.array("differences", of: row.differences) { difference, object in
      object.member("severity", difference.isError ? "error" : "information")
      object.member("kind", difference.kind.rawValue)
      object.member("path", difference.path)
      object.member("message", difference.words)
    }
    object.array("contract", of: row.contract) { $0.write(to: &$1) }
    if let reason = row.reason { object.member("reason", reason) }
    object.member("accepted", row.isAccepted)
  }
}
