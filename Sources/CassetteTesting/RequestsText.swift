import CassetteSession
import Foundation
import Testing

extension Report {
  /// Attaches the first requests of a failed test and their answers as `requests.txt` and `requests.har`.
  ///
  /// Does nothing if the test run keeps no attachments, because Swift Testing would print a line for each.
  package func attach(_ requests: [CassetteLedger.Entry], of count: Int, to name: String) {
    guard Test.current != nil, !requests.isEmpty, Self.keepsAttachments else { return }
    let text = text(Self.blocks(requests), of: count, to: name)
    Attachment.record(text, named: "requests.txt", sourceLocation: location)
    Attachment.record(RequestsArchive(requests).bytes, named: "requests.har", sourceLocation: location)
  }

  /// True if Xcode runs the tests, or if an option of `swift test` names a folder.
  private static let keepsAttachments =
    ProcessInfo.processInfo.environment.keys.contains { $0.hasPrefix("XCTest") }
    || CommandLine.arguments.contains { $0.contains("attachments-path") }

  /// Returns the text of `requests.txt`.
  func text(_ requests: [String], of count: Int, to name: String) -> String {
    let more = count > requests.count ? ["and \(count - requests.count) more"] : []
    let title = "\"\(name)\" (\(location.fileID):\(location.line)) sent \(count) request\(count == 1 ? "" : "s")"
    return ([title] + requests + more).joined(separator: "\n\n") + "\n"
  }

  /// Returns each request with its answer, header fields and body, with secrets masked.
  static func blocks(_ requests: [CassetteLedger.Entry]) -> [String] {
    requests.enumerated().map { number, entry in
      let shown = entry.sent?.shown ?? entry.request
      let end = shown.firstIndex(of: "\n") ?? shown.endIndex
      return "\(number + 1). \(shown[..<end])  ->  \(entry.answer)\(shown[end...])"
    }
  }
}
