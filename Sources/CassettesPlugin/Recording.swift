import Foundation
import PackagePlugin

/// A run of the package's tests on the network.
struct Recording {
  let mode: String
  let filters: [String]
  let prunes: Bool
  let context: PluginContext

  static var build: PackageManager.BuildParameters {
    PackageManager.BuildParameters(configuration: .debug, echoLogs: true)
  }

  /// SwiftPM's build folder: the plugin's own is in its `plugins`, at a depth that depends on the plugin's origin.
  private var scratchPath: String? {
    let parts = context.pluginWorkDirectoryURL.pathComponents
    guard let plugins = parts.lastIndex(of: "plugins"), plugins > 0 else { return nil }
    return "/" + parts[1..<plugins].joined(separator: "/")
  }

  /// Makes sure that tests may write and reach the network.
  ///
  /// The command asks for no permissions in the manifest: they would have to be given for `list` and `check` as well,
  /// and a SwiftPM inside of a sandbox cannot make one of its own. The ``Failure`` says what to type.
  func requireNoSandbox() throws {
    #if os(macOS)
      let probe = context.package.directoryURL.appending(path: ".cassettes-\(UUID().uuidString)")
      guard (try? Data().write(to: probe)) != nil else {
        let words =
          ["record"] + (mode == "record" ? [] : ["--missing"]) + (prunes ? ["--prune"] : [])
          + filters.flatMap { ["--filter", "\"\($0)\""] }
        let command = "swift package --disable-sandbox cassettes " + words.joined(separator: " ")
        throw Failure("recording needs the network and writes cassettes, and the sandbox forbids both: \(command)")
      }
      try? FileManager.default.removeItem(at: probe)
    #endif
  }

  /// Runs the tests that are built, showing what they print.
  func runTests() throws -> Outcome {
    // SwiftPM holds the lock for as long as this plugin runs, and waits for it; nothing is built, so nothing is in danger.
    var words = ["swift", "test", "--skip-build", "--ignore-lock", "--package-path", context.package.directoryURL.path]
    if let scratchPath { words += ["--scratch-path", scratchPath] }
    for filter in filters { words += ["--filter", filter] }
    var environment = ProcessInfo.processInfo.environment
    environment["CASSETTE_MODE"] = mode
    if prunes { environment["CASSETTE_PRUNE"] = "true" }
    var outcome = Outcome()
    outcome.status = try Run.lines(of: URL(filePath: "/usr/bin/env"), words, environment: environment) { line in
      // That SwiftPM found itself running is no news.
      if line.contains("--ignore-lock") { return }
      print(line)
      if let note = Outcome.note(in: line) { outcome.notes.append(note) }
    }
    return outcome
  }
}

/// The outcome of a recording.
struct Outcome {
  private static let mark = "cassettes: "

  var status: Int32 = 0
  /// The notes of recorders, a line each: `PATH: 1 added (GET /user), 5 unchanged`.
  var notes: [String] = []

  var refusals: Int { notes.count { $0.contains(": not written: ") } }

  static func note(in line: String) -> String? {
    line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
  }

  /// Summarises the changes of the cassettes' files, for the end of the output.
  func summary(before: [String: Data], after: [String: Data]) -> String {
    var lines = notes.map(Shelf.readable)
    // Output of tests may be swallowed; files cannot.
    for path in Set(before.keys).union(after.keys).sorted() where before[path] != after[path] {
      guard !lines.contains(where: { $0.hasPrefix("\(path): ") }) else { continue }
      let word = before[path] == nil ? "new" : after[path] == nil ? "removed" : "changed"
      lines.append("\(path): \(word)")
    }
    guard !lines.isEmpty else {
      let why = status == 0 ? ": no test that ran has a cassette. See which there are: swift test list" : "."
      return "\nNothing was recorded\(why)"
    }
    return "\nWhat changed:\n" + lines.sorted().map { "  \($0)" }.joined(separator: "\n")
  }
}
