internal import CassetteSystem

extension FindingsReport {
  /// The report in JUnit format; a test case with errors counts as failed.
  var junit: String {
    let failed = cases.count { $0.findings.contains { $0.severity == .error } }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites><testsuite name=\"\(XMLText.escaped(name))\" tests=\"\(cases.count)\" failures=\"\(failed)\""
    text += " skipped=\"\(cases.count(where: \.isSkipped))\">\n"
    for entry in cases {
      text += "<testcase classname=\"\(XMLText.escaped(entry.group))\" name=\"\(XMLText.escaped(entry.name))\">"
      let errors = entry.findings.filter { $0.severity == .error }.map(Self.line)
      if let first = errors.first {
        let lines = XMLText.escaped(errors.joined(separator: "\n"))
        text += "<failure message=\"\(XMLText.escaped(first))\">\(lines)</failure>"
      }
      let others = entry.findings.filter { $0.severity != .error }.map(Self.line)
      if entry.isSkipped {
        text += "<skipped message=\"\(XMLText.escaped(others.first ?? ""))\"/>"
      } else if !others.isEmpty {
        text += "<system-out>\(XMLText.escaped(others.joined(separator: "\n")))</system-out>"
      }
      text += "</testcase>\n"
    }
    return text + "</testsuite></testsuites>\n"
  }

  private static func line(_ finding: Finding) -> String {
    finding.line > 0 ? "\(finding.message) (\(finding.file):\(finding.line))" : finding.message
  }
}
