import CassetteRecording
import Cassettes
import MockServerConsole
import MockServerKit
import MockServerSockets
internal import MockServerUpstream

/// The messages of `record`.
enum RecordText {
  /// Returns the line for standard output.
  static func ready(_ url: String, _ settings: RecordingSettings) -> String {
    let whom = settings.upstream.map { "forwarding to \($0)" } ?? "forwarding as a proxy"
    let what = settings.mode == .recordMissing ? "\(whom) if no recording matches" : whom
    return Printable.escaped("mockserver: listening on \(url) (\(what), recording into \(settings.cassette))") + "\n"
  }

  /// Returns the line for a repeated signal, which ends the process before the cassette is written.
  static func forcedExit(_ settings: RecordingSettings) -> String {
    let journal = settings.cassette + JournalName.suffix
    return Printable.escaped(
      "mockserver: stopped immediately: the exchanges are in \(journal); the next mockserver record or serve merges "
        + "them")
      + "\n"
  }

  /// Returns the progress line, which is updated in place.
  static func progress(_ progress: RecordingProgress) -> String {
    var parts = ["\(counted(progress.exchanges, "exchange"))", readableSize(progress.bytes), "\(progress.new) new"]
    if progress.unchanged > 0 { parts.append("\(progress.unchanged) unchanged") }
    if progress.refused > 0 { parts.append("\(progress.refused) not recorded") }
    if progress.failed > 0 { parts.append("\(progress.failed) without a response") }
    return parts.joined(separator: ", ")
  }

  /// Returns the final report: the changes in the cassette, and the exchanges that were not recorded.
  static func summary(
    _ settings: RecordingSettings, _ changes: Recording.Changes, _ progress: RecordingProgress, unfinished: Int
  ) -> String {
    var text = "mockserver: \(counted(progress.exchanges, "exchange")), \(readableSize(progress.bytes))\n"
    var told = changes
    // These parts are reported on separate lines.
    (told.kept, told.unasked, told.redaction) = ([], [], RedactionUse())
    text += Printable.escaped("mockserver: \(settings.cassette): \(told)") + "\n"
    if !changes.kept.isEmpty {
      text += "mockserver: \(counted(changes.kept.count, "recording")) kept unchanged:\n"
      text += lines(changes.kept)
    }
    if !changes.unasked.isEmpty {
      let next =
        settings.prunes
        ? "not removed, because not every request was answered" : "record --prune removes them"
      text += "mockserver: \(counted(changes.unasked.count, "recording")) not requested again (\(next)):\n"
      text += lines(changes.unasked)
    }
    for line in changes.redaction.lines(\.option) { text += "mockserver: \(Printable.escaped(line))\n" }
    if progress.refused > 0 { text += "mockserver: \(counted(progress.refused, "exchange")) could not be recorded\n" }
    if progress.failed > 0 {
      let origin = settings.upstream.map { ": is \($0) running?" } ?? ""
      text += "mockserver: \(counted(progress.failed, "request")) failed: the upstream did not respond\(origin)\n"
    }
    let cut = unfinished - progress.refused - progress.failed
    if cut > 0 { text += "mockserver: \(counted(cut, "exchange")) left out: the responses were not complete\n" }
    return text
  }

  private static func lines(_ names: [String]) -> String {
    let most = 20
    var lines = names.prefix(most).map { "  \(Printable.escaped($0))\n" }
    if names.count > most { lines.append("  and \(names.count - most) more\n") }
    return lines.joined()
  }

  /// Returns warnings about access from other machines.
  static func exposure(_ configuration: MockServer.Configuration) -> [String] {
    guard let recording = configuration.recording, !SocketAddress.isLoopback(host: configuration.host) else {
      return []
    }
    let whom =
      recording.upstream.map { "\($0)" } ?? "every server that this machine can reach; --origin restricts the servers"
    return ["other machines can reach \(configuration.host), and through it \(whom)"]
  }
}
