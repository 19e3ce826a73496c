import Foundation
import PackagePlugin

/// A run of the package's tests with access to the network.
struct Recording {
  let mode: String
  let filters: [String]
  let prunes: Bool
  let context: PluginContext

  static var build: PackageManager.BuildParameters {
    PackageManager.BuildParameters(configuration: .debug, echoLogs: true)
  }

  /// The build folder of SwiftPM.
  ///
  /// The work folder of the plugin is in `plugins` below it, at a depth that depends on the origin of the plugin.
  private var scratchPath: String? {
    let parts = context.pluginWorkDirectoryURL.pathComponents
    guard let plugins = parts.lastIndex(of: "plugins"), plugins > 0 else { return nil }
    return "/" + parts[1..<plugins].joined(separator: "/")
  }

  /// Throws an error if the sandbox keeps tests from writing files and using the network.
  ///
  /// The manifest requests no permissions, because the user would have to grant them for `list` and `check` as well,
  /// and because SwiftPM cannot create a sandbox inside another sandbox. The ``Failure`` contains the command to use.
  func requireNoSandbox() throws {
    #if os(macOS)
      let probe = context.package.directoryURL.appending(path: ".cassettes-\(UUID().uuidString)")
      guard (try? Data().write(to: probe)) != nil else {
        let words =
          ["record"] + (mode == "record" ? [] : ["--missing"]) + (prunes ? ["--prune"] : [])
          + filters.flatMap { ["--filter", "\"\($0)\""] }
        let command = "swift package --disable-sandbox cassettes " + words.joined(separator: " ")
        throw Failure("recording needs the network and writes cassettes, which the sandbox forbids; run: \(command)")
      }
      try? FileManager.default.removeItem(at: probe)
    #endif
  }

  /// Runs the built tests and prints their output.
  func runTests() throws -> Outcome {
    // SwiftPM holds its lock while this plugin runs, so `swift test` would wait forever. Ignoring the lock is safe
    // because nothing is built.
    var words = ["swift", "test", "--skip-build", "--ignore-lock", "--package-path", context.package.directoryURL.path]
    if let scratchPath { words += ["--scratch-path", scratchPath] }
    for filter in filters { words += ["--filter", filter] }
    var environment = ProcessInfo.processInfo.environment
    environment["CASSETTE_MODE"] = mode
    if prunes { environment["CASSETTE_PRUNE"] = "true" }
    var outcome = Outcome()
    outcome.status = try Run.lines(of: URL(filePath: "/usr/bin/env"), words, environment: environment) { line in
      // The warning about another SwiftPM process refers to this plugin's own.
      if line.contains("--ignore-lock") { return }
      print(line)
      if let note = Outcome.note(in: line) { outcome.notes.append(note) }
      outcome.ranTests = outcome.ranTests || Outcome.countsTests(line)
    }
    return outcome
  }
}

/// The outcome of a recording.
struct Outcome {
  private static let mark = "cassettes: "

  var status: Int32 = 0
  /// True if at least one test ran.
  var ranTests = false
  /// The messages of recorders, one per line, such as `PATH: 1 added (GET /user), 5 unchanged`.
  var notes: [String] = []

  var refusals: Int { notes.count { $0.contains(": not written: ") } }

  static func note(in line: String) -> String? {
    line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
  }

  /// True for `Executed 3 tests, …` of XCTest and `✔ Test run with 3 tests …` of Swift Testing, but not for 0 tests.
  static func countsTests(_ line: String) -> Bool {
    ["Executed ", "Test run with "].contains { mark in
      guard let start = line.range(of: mark)?.upperBound else { return false }
      let words = line[start...].split(separator: " ", maxSplits: 2)
      return words.count > 1 && words[1].hasPrefix("test") && (Int(words[0]) ?? 0) > 0
    }
  }

  /// Returns a summary of the changed cassette files, for the end of the output.
  func summary(before: [String: Data], after: [String: Data]) -> String {
    var lines = notes.map(Shelf.readable)
    // Test output may be captured, so changed files are detected as well.
    for path in Set(before.keys).union(after.keys).sorted() where before[path] != after[path] {
      guard !lines.contains(where: { $0.hasPrefix("\(path): ") }) else { continue }
      let word = before[path] == nil ? "new" : after[path] == nil ? "removed" : "changed"
      lines.append("\(path): \(word)")
    }
    guard !lines.isEmpty else {
      let why = status == 0 ? ": none of the tests that ran uses a cassette. To list the tests: swift test list" : "."
      return "\nNothing was recorded\(why)"
    }
    return "\nChanges:\n" + lines.sorted().map { "  \($0)" }.joined(separator: "\n")
  }
}
