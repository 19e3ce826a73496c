extension FindingsReport {
  /// The most findings of a table; a comment in a pull request has an end.
  private static let most = 200

  /// A heading, the counts, and a table, for a comment or a job's summary.
  var markdown: String {
    var text = "### mockserver \(name)\n\n"
    let counts = [Severity.error, .warning, .note].compactMap { severity -> String? in
      let count = count(severity)
      return count > 0 ? "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")" : nil
    }
    let looked = "\(cases.count) looked at"
    guard !findings.isEmpty else { return text + "\(looked): no findings.\n" }
    text += "\(looked): \(counts.joined(separator: ", ")).\n\n| | where | what |\n|---|---|---|\n"
    for finding in findings.prefix(Self.most) {
      let place = finding.line > 0 ? "\(finding.file):\(finding.line)" : finding.file
      text += "| \(finding.severity.rawValue) | \(Self.cell(place)) | \(Self.cell(finding.message)) |\n"
    }
    if findings.count > Self.most { text += "\n\(findings.count - Self.most) more.\n" }
    return text
  }

  /// Text that neither ends a cell nor is read as markup.
  private static func cell(_ text: String) -> String {
    var cell = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "@", "!": cell += "\\\(scalar)"
      case "<": cell += "&lt;"
      case ">": cell += "&gt;"
      case "&": cell += "&amp;"
      case _ where scalar.properties.isWhitespace || scalar.value < 0x20: cell += " "
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return cell
  }
}
