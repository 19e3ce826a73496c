extension FindingsReport {
  /// A JUnit report: a test case for each case, failed where it has errors.
  var junit: String {
    let failed = cases.count { $0.findings.contains { $0.severity == .error } }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites><testsuite name=\"\(Self.xml(name))\" tests=\"\(cases.count)\" failures=\"\(failed)\""
    text += " skipped=\"\(cases.count(where: \.isSkipped))\">\n"
    for entry in cases {
      text += "<testcase classname=\"\(Self.xml(entry.group))\" name=\"\(Self.xml(entry.name))\">"
      let errors = entry.findings.filter { $0.severity == .error }.map(Self.line)
      if let first = errors.first {
        text += "<failure message=\"\(Self.xml(first))\">\(Self.xml(errors.joined(separator: "\n")))</failure>"
      }
      let others = entry.findings.filter { $0.severity != .error }.map(Self.line)
      if entry.isSkipped {
        text += "<skipped message=\"\(Self.xml(others.first ?? ""))\"/>"
      } else if !others.isEmpty {
        text += "<system-out>\(Self.xml(others.joined(separator: "\n")))</system-out>"
      }
      text += "</testcase>\n"
    }
    return text + "</testsuite></testsuites>\n"
  }

  private static func line(_ finding: Finding) -> String {
    finding.line > 0 ? "\(finding.message) (\(finding.file):\(finding.line))" : finding.message
  }

  /// Text as it may stand in an attribute or an element (XML 1.0 §2.2).
  private static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
