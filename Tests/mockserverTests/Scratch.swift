import Foundation

/// A folder for the length of a test.
enum Scratch {
  static func with<R>(_ use: (_ folder: String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mockserver-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try use(folder.path)
  }

  static func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  /// A cassette with two recordings, one with a secret in its query.
  static let cassette = """
    {
      "cassette": 1,
      "origin": "https://api.example.com",
      "interactions": [
        {
          "request": { "method": "GET", "url": "/users/kean" },
          "response": { "status": 200, "body": { "json": { "login": "kean" } } }
        },
        {
          "request": { "method": "GET", "url": "/search?q=a&access_token=hush" },
          "response": { "status": 204 }
        },
        {
          "request": { "method": "POST", "url": "/slow" },
          "failure": { "code": -1001, "name": "timedOut" }
        }
      ]
    }

    """
}
