extension FindingsReport {
  /// The maximum number of findings in the table, because comments in pull requests have a limited length.
  private static let most = 200

  /// The report in Markdown, for a comment or a job summary: a heading, the counts, and a table.
  var markdown: String {
    var text = "### mockserver \(name)\n\n"
    let counts = [Severity.error, .warning, .note].compactMap { severity -> String? in
      let count = count(severity)
      return count > 0 ? "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")" : nil
    }
    let looked = "\(cases.count) checked"
    guard !findings.isEmpty else { return text + "\(looked): no findings.\n" }
    text += "\(looked): \(counts.joined(separator: ", ")).\n\n| | place | finding |\n|---|---|---|\n"
    for finding in findings.prefix(Self.most) {
      let place = finding.line > 0 ? "\(finding.file):\(finding.line)" : finding.file
      text += "| \(finding.severity.rawValue) | \(Self.cell(place)) | \(Self.cell(finding.message)) |\n"
    }
    if findings.count > Self.most { text += "\n\(findings.count - Self.most) more.\n" }
    return text
  }

  /// Escapes text for a table cell.
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
