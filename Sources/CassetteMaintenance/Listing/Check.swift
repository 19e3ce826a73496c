import CassetteHTTP
import CassetteJSON
internal import CassetteRecording
internal import CassetteSystem
package import Cassettes
package import MockServerConsole

/// The command `check`, which reads cassettes strictly and reports problems.
package enum Check {
  /// The errors and warnings of an OpenAPI document, and the number of its operations.
  package typealias SpecificationFindings = (problems: [CassetteError], operations: Int)

  /// Checks files and folders, and prints their errors and warnings.
  ///
  /// - `audit`: Checks an OpenAPI document by its path; nil for a file that is not one. A program without OpenAPI
  ///   passes nothing, and reads every file as a cassette.
  package static func run(
    _ invocation: Invocation, audit: (String) -> SpecificationFindings? = { _ in nil }
  ) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(invocation.operands, hint: "Name the cassettes to check: mockserver check DIR")
    let reports = try Reports(invocation)
    if invocation.has(Manual.unused) { return try UnusedRecordings.run(invocation, paths, reports) }
    guard !invocation.has(Manual.pruneUnused) else {
      throw .usage("--prune requires --unused FILE", of: invocation.command)
    }
    let audits = paths.map { (path: $0, audit: Folder.resolvedKind(of: $0) == .file ? audit($0) : nil) }
    let cassettes = audits.filter { $0.audit == nil }.map(\.path)
    let specifications = audits.compactMap(\.audit)
    var problems = specifications.flatMap(\.problems)
    if !cassettes.isEmpty { problems += CassetteLibrary.check(cassettes) + undecided(cassettes) }
    let invalid = problems.contains { $0.severity == .error }
    if let age = invocation.age(Manual.olderThan), let library = try? CassetteLibrary.load(cassettes) {
      problems += RecordingAge(age.seconds, age.words, now: Timestamp.now()).findings(in: library.cassettes)
    }
    if !reports.isEmpty {
      try reports.write(FindingsReport(name: "check", files: CassetteFileList.files(of: paths), problems: problems))
    }
    let errors = problems.count { $0.severity == .error }
    let style = Console.output.style
    let served = [
      cassettes.isEmpty ? nil : served(cassettes),
      specifications.isEmpty ? nil : counted(specifications.reduce(0) { $0 + $1.operations }, "operation"),
    ].compactMap(\.self)
    Console.output.write(problems.map { ProblemText.line($0, style) }.joined())
    Console.output.write(
      ProblemText.summary(
        errors: errors, warnings: problems.count - errors,
        served: errors == 0 && !served.isEmpty ? served.joined(separator: ", ") : nil))
    return invalid ? .badCassette : errors == 0 ? .success : .found
  }

  /// Returns the unresolved conflicts of merges.
  private static func undecided(_ paths: [String]) -> [CassetteError] {
    CassetteFileList.files(of: paths).flatMap { file in
      (try? CassetteFile.read(path: file)).map(MergeConflict.problems) ?? []
    }
  }

  private static func served(_ paths: [String]) -> String? {
    guard let library = try? CassetteLibrary.load(paths) else { return nil }
    let recordings = counted(library.recordingCount, "recording")
    let cassettes = counted(library.cassettes.count, "cassette")
    return "\(recordings) in \(cassettes), \(counted(library.fixtureCount, "fixture"))"
  }
}

/// Formats problems as compilers do, so that editors and CI systems find the location.
package enum ProblemText {
  package static func line(_ problem: CassetteError, _ style: Style) -> String {
    let severity = problem.severity == .error ? style.red("error:") : style.yellow("warning:")
    let suggestion = problem.suggestion.map { ", \($0)" } ?? ""
    let place = "\(problem.file):\(max(1, problem.line)):\(max(1, problem.column))"
    // The text comes from files and is escaped; the colors must not be.
    return "\(Printable.escaped(place)): \(severity) \(Printable.escaped(problem.message + suggestion))\n"
  }

  /// Returns the last line: the numbers of errors and warnings, or a summary of the checked files.
  static func summary(errors: Int, warnings: Int, served: String?) -> String {
    let served = served.map { "\($0): " } ?? ""
    guard errors + warnings > 0 else { return "mockserver: \(served)no problems\n" }
    let counts = [errors > 0 ? counted(errors, "error") : nil, warnings > 0 ? counted(warnings, "warning") : nil]
    return "mockserver: \(served)\(series(counts.compactMap(\.self), "and"))\n"
  }
}

extension CommandError {
  /// Returns an error about a cassette that cannot be played.
  package static func unreadable(_ error: CassetteError, paths: [String]) -> CommandError {
    // The error may concern a specification, which is not among the paths of cassettes.
    let looked = paths.contains(where: error.file.hasPrefix) ? paths : [error.file]
    let command = "mockserver check \(Printable.escaped(looked.map(ShellWord.path).joined(separator: " ")))"
    return CommandError(.badCassette, "\(error)", hint: "To list all problems: \(command)")
  }

  /// Runs `act`, and converts an error in a cassette to a `CommandError`, which ends the command.
  package static func reading<Result>(
    _ paths: [String], _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch { throw .unreadable(error, paths: paths) }
  }

  /// Runs `act`, and converts an error in another file to a `CommandError`, which ends the command.
  package static func using<Result>(
    hint: String? = nil, _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch {
      throw CommandError(.noInput, Printable.escaped("\(error)"), hint: hint)
    }
  }
}

/// The command `check --unused`, which reports recordings that no test plays.
enum UnusedRecordings {
  static func run(_ invocation: Invocation, _ paths: [String], _ reports: Reports) throws(CommandError) -> ExitCode {
    let run = try TestRunReport(invocation.texts(Manual.unused))
    let style = Console.output.style
    var found: [CassetteError] = []
    var files: [String] = []
    var unopened: [String] = []
    var unused: [(file: String, ids: Set<String>)] = []
    for file in CassetteFileList.files(of: paths) {
      let cassette = try CommandError.reading(paths) { () throws(CassetteError) in try CassetteFile.read(path: file) }
      files.append(file)
      let played = run.played(in: file)
      if played == nil { unopened.append(file) }
      let never = cassette.interactions.filter { !(played ?? []).contains($0.id) }
      guard !never.isEmpty else { continue }
      if played != nil { unused.append((file, Set(never.map(\.id)))) }
      found += never.map { interaction in
        CassetteError(
          file: file, line: interaction.place?.line ?? 0, column: interaction.place?.column ?? 0,
          message: "\(interaction.shown) (\"\(interaction.id)\") was not played by any test", severity: .warning)
      }
    }
    Console.output.write(found.map { ProblemText.line($0, style) }.joined())
    for file in unopened { Console.error.write("mockserver: \(Printable.escaped(file)) was not opened by any test\n") }
    try reports.write(FindingsReport(name: "unused", files: files, problems: found, rule: "unused"))
    let count = found.isEmpty ? "all recordings were played" : "\(counted(found.count, "recording")) not played"
    Console.error.write("mockserver: \(run.summary): \(count)\n")
    guard invocation.has(Manual.pruneUnused) else { return found.isEmpty ? .success : .found }
    return try prune(unused, left: unopened, run)
  }

  private static func prune(
    _ unused: [(file: String, ids: Set<String>)], left: [String], _ run: TestRunReport
  ) throws(CommandError) -> ExitCode {
    guard run.failed.isEmpty else {
      throw CommandError(
        .found, "nothing was pruned: \(counted(run.failed.count, "test")) failed and might have played more recordings",
        hint: Printable.escaped(run.failed.prefix(5).joined(separator: "\n")))
    }
    for (file, ids) in unused {
      try CommandError.reading([file]) { () throws(CassetteError) in
        try CassetteFileLock.holding(file) { () throws(CassetteError) in
          var text = try CassetteText(try CassetteFile.bytes(of: file), name: file)
          text.remove(ids)
          let bytes = text.bytes
          _ = try CassetteFile.read(bytes: bytes, name: file, file: nil)
          try CassetteFileList.write(bytes, to: file)
        }
      }
      Console.output.write("\(Printable.escaped(file)): \(counted(ids.count, "recording")) removed\n")
    }
    if !left.isEmpty {
      Console.error.write(
        "mockserver: cassettes that no test opened were kept; remove them if nothing else needs them\n")
    }
    return left.isEmpty ? .success : .found
  }
}

/// The recordings that were played by the tests in `CASSETTE_REPORT` files.
struct TestRunReport {
  private(set) var tests = 0
  private(set) var failed: [String] = []
  private(set) var missed: [String] = []
  private(set) var approximate: [String] = []
  /// The ids of played recordings, by the resolved path of the cassette.
  private var played: [String: Set<String>] = [:]

  /// Parses report files; a truncated line counts as a failed test, because its process was terminated.
  init(_ files: [String]) throws(CommandError) {
    for file in files {
      let bytes = try CommandError.using(
        hint: "Swift tests write the report: CASSETTE_REPORT=\(ShellWord.quoted(file)) swift test"
      ) {
        () throws(CassetteError) in try CassetteFile.bytes(of: file)
      }
      for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
      where !line.isEmpty {
        if let value = JSONValue(Array(line)), value["test"] != nil {
          add(value)
        } else if line.starts(with: "{\"test\":".utf8) {
          tests += 1
          failed.append("a test in a killed process (\(Printable.escaped(file)):\(index + 1))")
        } else {
          throw CommandError(
            .badCassette, "\(Printable.escaped(file)):\(index + 1): is not a line of a test report",
            hint: "Remove the file, and run the tests with CASSETTE_REPORT=\(ShellWord.quoted(file)) again.")
        }
      }
    }
    guard tests > 0 else {
      throw CommandError(
        .badCassette, "no test results in \(Printable.escaped(files.joined(separator: " ")))",
        hint: "Swift tests write the report: CASSETTE_REPORT=\(files.first.map(ShellWord.quoted) ?? "FILE") swift test")
    }
  }

  private mutating func add(_ line: JSONValue) {
    tests += 1
    if line["failed"]?.isTrue == true { failed.append(line["test"]?.string ?? "") }
    missed += line["missed"]?.strings ?? []
    approximate += line["approximate"]?.strings ?? []
    for cassette in line["cassettes"]?.elements ?? [] {
      guard let file = cassette["file"]?.string else { continue }
      played[file, default: []].formUnion(cassette["played"]?.strings ?? [])
    }
  }

  /// Returns the ids of played recordings in a cassette, or nil if no test opened the cassette.
  func played(in file: String) -> Set<String>? {
    if let ids = played[CassetteFileBytes.realPath(file) ?? file] { return ids }
    // A test bundle contains a copy of the cassette, with the same name in a folder of the same name.
    let end = file.split(separator: "/").suffix(2)
    let copies = played.filter { $0.key.split(separator: "/").suffix(2) == end }
    guard end.count == 2, !copies.isEmpty else { return nil }
    return copies.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// The counts of tests, failures, misses and approximate matches in one line.
  var summary: String {
    var parts = [counted(tests, "test")]
    if !failed.isEmpty { parts.append("\(failed.count) failed") }
    if !missed.isEmpty { parts.append(counted(missed.count, "miss", "misses")) }
    if !approximate.isEmpty { parts.append("\(approximate.count) approximate") }
    return parts.joined(separator: ", ")
  }
}
