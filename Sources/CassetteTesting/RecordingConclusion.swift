import CassettePlayback
import CassetteRecording
import CassetteSession
internal import CassetteSystem
import Cassettes
import Foundation
import Testing

/// At the end of the process, reports the recordings that its tests did not use, and removes them if requested.
///
/// Only then is it known which tests ran. With `CASSETTE_PRUNE=true`, each process of a run (XCTest and Swift Testing
/// use one each) writes a note for the others, and the last process removes the recordings.
enum RecordingConclusion {
  /// The name of the environment variable; with the value `true`, unused recordings are removed.
  static let pruneVariable = "CASSETTE_PRUNE"
  /// The name of the environment variable; with the value `true`, recorded failures replace earlier recordings.
  static let keepFailuresVariable = "CASSETTE_KEEP_FAILURES"

  private static let isAwaited: Void = {
    atexit {
      RecordingConclusion.tell()
      for line in UnplayedRecordings.lines { RecordingConclusion.say(line) }
      tellIdle()
      tellUnattributed()
      let refused = NetworkDenial.unattributed
      guard !refused.isEmpty else { return }
      for words in refused { RecordingConclusion.say("error: \(words), by an unknown test") }
      RecordingConclusion.say("error: the network was denied, so the run fails. \(NetworkDenial.remedy)")
      // In both C libraries, the remaining handlers run and the process exits with the later status.
      exit(EXIT_FAILURE)
    }
  }()

  /// Reports the requests on `URLSession.shared` that failed because their test is unknown, also in the run's report.
  private static func tellUnattributed() {
    let requests = SharedSession.unattributed
    guard !requests.isEmpty else { return }
    for request in requests {
      say(
        "\(request) was sent on URLSession.shared by code of an unknown test, and failed: await the request in its test"
      )
    }
    let problem = RunReport.append(
      "code of an unknown test", RecordingTable(CassetteLibrary()), hasFailed: false, missed: requests, approximate: [])
    if let problem { say(problem) }
  }

  /// The number of tests that recorded nothing, by cassette.
  private static let idle = Locked<[String: Int]>([:])

  /// Keeps the line of a test that recorded nothing for the end of the process; returns false for other lines.
  static func `defer`(_ line: String) -> Bool {
    let mark = ": nothing recorded"
    guard line.hasSuffix(mark) else { return false }
    idle.withLock { $0[String(line.dropLast(mark.count)), default: 0] += 1 }
    return true
  }

  private static func tellIdle() {
    for (path, count) in idle.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      say("\(path): nothing recorded\(count == 1 ? "" : " by \(count) tests")")
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data((Printable.escaped("cassettes: \(line)") + "\n").utf8))
  }

  /// Schedules the reports for the end of the process.
  package static func schedule() { _ = isAwaited }

  /// Schedules this report for the end of the process, and applies the environment's settings to the recorded files.
  static func expect() {
    let environment = ProcessInfo.processInfo.environment
    if CassetteMode.renewsDates(environment) { for file in RecordingFiles.all { file.renewDates() } }
    if CassetteMode.isOn(environment[keepFailuresVariable]) { for file in RecordingFiles.all { file.keepFailures() } }
    _ = isAwaited
  }

  private static func tell() {
    let prunes = CassetteMode.isOn(ProcessInfo.processInfo.environment[pruneVariable])
    // A redaction of a suite need not match in each of its cassettes.
    let matched = RecordingFiles.all.reduce(into: Set()) { $0.formUnion($1.total.redaction.matched) }
    for file in RecordingFiles.all {
      for line in lines(for: file, prunes: prunes, arguments: CommandLine.arguments, note: .ofThisRun(file))
        + file.total.redaction.lines(besides: matched)
      {
        say("\(file.path): \(line)")
      }
    }
  }

  /// Reports the unused recordings of one file, and removes them if possible.
  ///
  /// - `prunes`: True to remove unused recordings.
  /// - `note`: The note shared with other processes of the same run; nil if it cannot be stored.
  static func lines(for file: RecordingFile, prunes: Bool, arguments: [String], note: RecordingNote?) -> [String] {
    let unasked = Set(file.total.unasked)
    let standing = file.standing
    let interactions = file.written.interactions
    var said = RecordingNote.Content(
      tests: standing.tests, asked: Set(interactions.map(\.id)).subtracting(unasked), doubts: standing.doubts)
    if prunes, let note { said = note.exchanging(said) }
    guard !unasked.isEmpty else { return [] }
    let sources = TestSources(near: file.identity)
    var (dead, waiting): ([String], Set<String>) = ([], [])
    for interaction in interactions where unasked.contains(interaction.id) && !said.asked.contains(interaction.id) {
      if let test = interaction.recorded?.by, !said.tests.contains(test), sources.hold(test) {
        waiting.insert(test)
      } else {
        dead.append(interaction.id)
      }
    }
    guard !dead.isEmpty else { return [] }
    let names = Recording.Changes.list(dead, most: 10)
    let words = "\(dead.count) not requested by the tests that ran (\(names))"
    guard prunes else {
      return ["\(words); \(pruneVariable)=true removes them once every test has run and passed"]
    }
    let name = CassetteFile.name(ofFile: file.path)
    let leftOut = sources.fileLeftOut(name, of: said.tests).map { "no test in \($0), which uses the cassette, has run" }
    if let reason = obstacle(said, waiting, arguments, in: sources, name) ?? leftOut {
      return ["\(words); not removed: \(reason)"]
    }
    do throws(CassetteError) {
      let gone = try file.prune(sparing: Set(interactions.map(\.id)).subtracting(dead)).gone
      return ["\(gone.count) removed, not requested by any test (\(Recording.Changes.list(gone, most: 10)))"]
    } catch {
      return ["\(words); not removed: \(error.message)"]
    }
  }

  /// Returns the reason why unused recordings may still be needed; nil if they are not.
  private static func obstacle(
    _ said: RecordingNote.Content, _ waiting: Set<String>, _ arguments: [String], in sources: TestSources,
    _ cassette: String
  ) -> String? {
    if let doubt = said.doubts.first {
      return said.doubts.count == 1 ? doubt : "\(doubt), and \(said.doubts.count - 1) more"
    }
    if let test = waiting.min(by: TestOrder.precedes) { return "\(test), which also uses the file, has not run" }
    // XCTest receives the names of tests, Swift Testing an option.
    let isFiltered = arguments.dropFirst().contains { word in
      word == "--filter" || word == "--skip" || word.hasPrefix("--filter=") || word.hasPrefix("--skip=")
    }
    let isXCTest = !arguments.contains("--testing-library") && arguments.dropFirst().contains { !$0.hasPrefix("-") }
    guard isFiltered || isXCTest else { return nil }
    guard let users = sources.tests(using: cassette) else {
      return "only some tests were selected, and code outside of tests uses the file"
    }
    let ran = Set(said.tests.map(TestSources.function))
    let missing = users.subtracting(ran)
    return missing.min().map { "only some tests were selected, and \($0) also uses the file" }
  }
}
