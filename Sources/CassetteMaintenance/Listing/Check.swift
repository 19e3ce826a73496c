import CassetteHTTP
package import Cassettes
package import MockServerConsole

/// The command `check`, which reads cassettes strictly and reports problems.
package enum Check {
  /// The errors and warnings of an OpenAPI document, and the number of its operations.
  package typealias SpecificationFindings = (problems: [CassetteError], operations: Int)

  /// Checks files and folders, and prints their errors and warnings.
  ///
  /// - Parameters:
  ///   - invocation: The options and paths of the command line.
  ///   - audit: Checks an OpenAPI document by its path; nil for a file that is not one. A program without OpenAPI
  ///     passes nothing, and reads every file as a cassette.
  /// - Returns: The exit code.
  /// - Throws: ``CommandError`` for options or paths that cannot be used.
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
    return errors == 0 ? .success : .badCassette
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
