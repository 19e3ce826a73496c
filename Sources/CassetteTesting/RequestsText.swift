import CassetteSession
import Testing

extension Report {
  /// Attaches the requests and their answers to a test that failed.
  package func attach(_ ledger: CassetteLedger, of name: String) {
    attach(Self.blocks(ledger), of: ledger.count, to: name)
    guard Test.current != nil, ledger.count > 0 else { return }
    Attachment.record(RequestsArchive(ledger).bytes, named: "requests.har", sourceLocation: location)
  }

  /// Attaches requests as `requests.txt`, beginning with the name and position of the test.
  package func attach(_ requests: [String], of count: Int, to name: String) {
    guard Test.current != nil, !requests.isEmpty else { return }
    Attachment.record(text(requests, of: count, to: name), named: "requests.txt", sourceLocation: location)
  }

  /// Returns the text of `requests.txt`.
  func text(_ requests: [String], of count: Int, to name: String) -> String {
    let more = count > requests.count ? ["and \(count - requests.count) more"] : []
    let title = "\"\(name)\" (\(location.fileID):\(location.line)) sent \(count) request\(count == 1 ? "" : "s")"
    return ([title] + requests + more).joined(separator: "\n\n") + "\n"
  }

  /// Returns each request with its answer, header fields and body, with secrets masked.
  static func blocks(_ ledger: CassetteLedger) -> [String] {
    ledger.requests.enumerated().map { number, entry in
      let shown = entry.sent?.shown ?? entry.request
      let end = shown.firstIndex(of: "\n") ?? shown.endIndex
      return "\(number + 1). \(shown[..<end])  ->  \(entry.answer)\(shown[end...])"
    }
  }
}
