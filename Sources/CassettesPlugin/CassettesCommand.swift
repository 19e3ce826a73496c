import Foundation
import PackagePlugin

/// `swift package cassettes`: lists, checks and records the cassettes of a package's tests.
@main struct CassettesCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    switch try Invocation(arguments) {
    case .help:
      print(Manual.text)
    case .list(let options, let paths):
      try list(options, Shelf.named(paths, orOf: context.package), with: tool(in: context))
    case .check(let paths):
      try check(Shelf.named(paths, orOf: context.package), with: tool(in: context))
    case .record(let mode, let filters, let prunes):
      try record(Recording(mode: mode, filters: filters, prunes: prunes, context: context))
    }
  }

  /// Returns the URL of `cassettes-tool`: the release's artifact, or a build from source.
  ///
  /// If the plugin declared the tool's target as a dependency, it would be compiled again for the host. Built this way,
  /// it shares the modules of the package's tests.
  private func tool(in context: PluginContext) throws -> URL {
    let name = "cassettes-tool"
    if let built = try? context.tool(named: name) { return built.url }
    let result = try packageManager.build(
      .product(name), parameters: PackageManager.BuildParameters(configuration: .debug))
    guard result.succeeded else { throw Failure("\(name) does not build:\n\(result.logText)") }
    guard let built = result.builtArtifacts.first(where: { $0.kind == .executable && $0.url.lastPathComponent == name })
    else { throw Failure("SwiftPM did not report the path of \(name); build it once: swift build --product \(name)") }
    return built.url
  }

  private func list(_ options: [String], _ shelves: [Shelf], with tool: URL) throws {
    // JSON output must be a single document.
    if !options.isEmpty {
      guard try show(tool, ["list"] + options + shelves.map(\.path)) == 0 else { throw Failure("list failed") }
      return
    }
    var failed = 0
    for shelf in shelves {
      if shelves.count > 1 { print("\(shelf.path):") }
      if try show(tool, ["list", shelf.path]) != 0 { failed += 1 }
      if shelves.count > 1 { print() }
    }
    if failed > 0 { throw Failure("\(counted(failed, "folder")) cannot be read: swift package cassettes check") }
  }

  private func check(_ shelves: [Shelf], with tool: URL) throws {
    var errors = 0
    var warnings = 0
    var failed = false
    for shelf in shelves {
      let status = try Run.lines(of: tool, ["check", shelf.path]) { line in
        // The last line of the tool is a summary that counts the lines omitted here.
        let isSum = line.hasPrefix("mockserver: ") && !line.hasPrefix("mockserver: error: ")
        guard !isSum else { return }
        if line.contains(": warning: ") { warnings += 1 } else if line.contains(": error: ") { errors += 1 }
        print(Self.adapted(line))
      }
      if status != 0 { failed = true }
    }
    let found = [errors > 0 ? counted(errors, "error") : nil, warnings > 0 ? counted(warnings, "warning") : nil]
    let sum = found.compactMap(\.self).joined(separator: " and ")
    print("cassettes: \(counted(shelves.count, "folder")) checked: \(sum.isEmpty ? "no problems" : sum)")
    if failed { throw Failure(errors > 0 ? "some cassettes cannot be played" : "cassettes-tool failed") }
  }

  /// Runs the tool, prints its output and returns its exit code.
  private func show(_ tool: URL, _ arguments: [String]) throws -> Int32 {
    try Run.lines(of: tool, arguments) { print(Self.adapted($0)) }
  }

  /// Returns a line of the tool's output with the name and the commands of this plugin.
  private static func adapted(_ line: String) -> String {
    let name = "mockserver: "
    var line = line.hasPrefix(name) ? "cassettes: " + line.dropFirst(name.count) : line
    for name in ["list", "check"] {
      line = line.replacingOccurrences(of: ": mockserver \(name) ", with: ": swift package cassettes \(name) ")
    }
    return line
  }

  private func record(_ recording: Recording) throws {
    let context = recording.context
    try recording.requireNoSandbox()
    // The tests are built by the plugin, because SwiftPM locks the build folder while a plugin runs.
    guard try packageManager.build(.all(includingTests: true), parameters: Recording.build).succeeded else {
      throw Failure("the tests do not build; nothing was recorded")
    }
    let before = Shelf.contents(of: context.package)
    let outcome = try recording.runTests()
    print(outcome.summary(before: before, after: Shelf.contents(of: context.package)))
    guard outcome.ranTests || outcome.status != 0 else {
      throw Failure("no test ran: --filter matches no test. To list the tests: swift test list")
    }
    guard outcome.status == 0 else { throw Failure("tests failed while recording (exit code \(outcome.status))") }
    guard outcome.refusals == 0 else { throw Failure("\(counted(outcome.refusals, "cassette")) not written") }
  }
}

/// The error with which the command fails.
///
/// SwiftPM prints it after `error:` and exits with code 1.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Returns a number with its noun, such as `1 folder` or `2 folders`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
