import CassetteFormats
internal import CassetteSecrets
import Cassettes
import Foundation
import TestSupport

/// The result of importing one text.
struct Imported {
  var report: ImportTransaction.Report
  var cassette: Cassette?
  /// The files of the import, by their path in the output folder.
  var files: [String: [UInt8]] = [:]
  /// The folder of the cassette, which exists as long as its bodies may be read.
  private var folder: ScratchFolder?

  static func of(
    _ text: String, named name: String = "sample.json", beside others: [String: String] = [:],
    redaction: CassetteRedaction? = .standard
  ) throws -> Imported {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/in/\(name)"
    for (name, text) in others.merging([name: text], uniquingKeysWith: { $1 }) {
      let url = URL(filePath: "\(folder.path)/in/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let into = "\(folder.path)/out"
    let reports = try ImportTransaction(into: into, redaction: redaction).run([path])
    var imported = Imported(report: reports[0])
    imported.folder = folder
    if let path = reports[0].cassette { imported.cassette = try CassetteFile.read(path: path) }
    for file in Folder.files(in: into).files {
      imported.files[file] = Array(try Data(contentsOf: URL(filePath: "\(into)/\(file)")))
    }
    return imported
  }

  /// Returns the file to which a cassette is imported, in a folder without a saved schema.
  static func bytes(of cassette: Cassette) throws -> [UInt8] { try CassetteFile.bytes(of: cassette) }
}

/// Sample files of other tools.
enum Sample {
  static func har(_ entries: String, version: String = "1.2") -> String {
    #"{"log": {"version": "\#(version)", "creator": {"name": "x", "version": "1"}, "entries": [\#(entries)]}}"#
  }

  static func entry(
    method: String = "GET", url: String = "https://api.example.com/a", fields: String = "", postData: String? = nil,
    status: String = "200", answered: String = "", content: String = #"{"size": 0, "mimeType": ""}"#
  ) -> String {
    #"""
    {
      "startedDateTime": "2026-11-21T01:02:03.004Z", "time": 50,
      "request": {
        "method": "\#(method)", "url": "\#(url)", "httpVersion": "HTTP/1.1", "headers": [
          {"name": ":method", "value": "\#(method)"}, {"name": "Host", "value": "api.example.com"}\#(fields)
        ]\#(postData.map { #", "postData": \#($0)"# } ?? "")
      },
      "response": {
        "status": \#(status), "statusText": "", "headers": [
          {"name": "Content-Type", "value": "text/plain"}, {"name": "Content-Encoding", "value": "br"},
          {"name": "Content-Length", "value": "1"}, {"name": "X-Two", "value": "1\n2"}\#(answered)
        ],
        "content": \#(content)
      },
      "timings": {"blocked": -1, "send": 10, "wait": 20, "receive": 20}
    }
    """#
  }
}
