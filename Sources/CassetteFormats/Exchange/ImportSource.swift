import CassetteHTTP
import Cassettes

/// Files of another tool that are imported as one cassette.
struct ImportSource {
  /// The content of a source.
  struct Content {
    /// The recordings, and placeholders for skipped recordings whose request was read.
    var recordings: [(interaction: Interaction, place: SourcePlace)] = []
    var skipped: [SkippedRecording] = []
    var notes = ImportNotes()
    /// The origin that the file declares for its recordings; empty if it declares none, nil if it has no such member.
    var origin: String?
    /// The total number of recordings, including skipped ones.
    var count = 0

    /// Sorts the recordings of a HAR, in which browsers write an exchange when it ends, by the time of the request.
    ///
    /// A recording without a time stays behind its predecessor.
    mutating func sortByStart() {
      var last = Int.min
      let starts = recordings.map { recording in
        let time = recording.interaction.recorded?.at.flatMap { ISOTime(Array($0.utf8)[...])?.nanoseconds }
        last = time ?? last
        return last
      }
      recordings = zip(starts, recordings).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Reports a recording as skipped; throws if the whole file must be refused.
    ///
    /// Returns a placeholder, or nil if the request is unknown.
    mutating func skip(
      _ item: String, at place: SourcePlace, _ error: Unusable
    ) throws(CassetteError) -> Interaction? {
      if error.refusesFile {
        throw CassetteError(file: place.file, line: place.line, column: 1, message: "\(item): \(error.reason)")
      }
      skipped.append(.init(file: place.file, line: place.line, item: item, reason: error.reason + error.advice))
      guard var asked = notes.asked else { return nil }
      asked.failure = RecordedFailure.notCaptured(String(error.reason.prefix(200)))
      (asked.headers, asked.reason) = ([], nil)
      (asked.body, asked.chunks, asked.isTemplate) = ([], nil, false)
      var unheard = ImportNotes()
      return try? asked.interaction(&unheard)
    }
  }

  var format: CassetteFormat
  /// The files; several only for formats with one file per recording.
  var paths: [String]
  /// The name of the cassette to write.
  var name: String
  /// The path from the command line, for messages.
  var label: String
  /// True if all responses of WireMock are templates.
  var hasTemplates = false
}

/// A recording that was not imported.
package struct SkippedRecording: Sendable {
  /// The file that contains the recording.
  package var file: String
  /// The line at which the recording begins.
  package var line: Int
  /// The number of the recording in its file: `entry 3`.
  package var item: String
  /// The reason why it was skipped.
  package var reason: String
}

extension Interaction {
  /// Returns a hash of the request and a status, which identifies equal responses.
  func answerKey(_ status: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(method)
    hasher.combine(url)
    hasher.combine(status)
    hasher.combine((try? requestBody?.bytes()) ?? [])
    return hasher.finalize()
  }
}

extension Timestamp {
  /// Converts a time in the format of RFC 3339 or RFC 9110 to RFC 3339; nil if the text is not a time.
  ///
  /// Some APIs omit the time zone and mean UTC, or the colon in the offset.
  static func normal(_ text: String) -> String? {
    if let seconds = HTTPDate.parse(text) { return at(Double(seconds)) }
    let bytes = Array(text.utf8)
    guard let time = ISOTime(bytes[...]), time.isWhole, time.hasSeconds, bytes[10] == UInt8(ascii: "T"),
      bytes.last != UInt8(ascii: "z")
    else {
      return nil
    }
    if time.hasZone { return text }
    let offset = text.suffix(5)
    return offset.hasPrefix("+") || offset.hasPrefix("-") ? "\(text.dropLast(2)):\(offset.suffix(2))" : "\(text)Z"
  }
}
