import Cassettes

/// Files of another tool that become one cassette.
struct ImportSource {
  /// Takes a recording, and where it begins.
  typealias Use = (Interaction, SourcePlace) throws(CassetteError) -> Void

  /// The result of reading a source.
  struct Result {
    var skipped: [SkippedRecording] = []
    var notes = ImportNotes()
    /// The recordings' origin according to the source; empty for none, nil when it says nothing.
    var origin: String?
    /// The number of recordings in all.
    var count = 0
    /// The keys of the answers that were captured; see ``Interaction/answerKey(_:)``.
    var captured: Set<Int> = []

    /// Returns a placeholder for a skipped recording.
    ///
    /// Returns nil if the request is unknown or was never answered, or if only the body is missing and another
    /// recording has the same answer with its body.
    func gap(_ error: Unusable) -> Interaction? {
      guard var asked = notes.asked, asked.status >= 200 else { return nil }
      asked.failure = RecordedFailure.notCaptured(String(error.reason.prefix(200)))
      (asked.headers, asked.reason) = ([], nil)
      (asked.body, asked.chunks, asked.isTemplate) = ([], nil, false)
      var unheard = ImportNotes()
      guard let gap = try? asked.interaction(&unheard) else { return nil }
      return error.isUncaptured && captured.contains(gap.answerKey(asked.status)) ? nil : gap
    }

    /// Notes a recording that is not taken over; throws where its file must be refused as a whole.
    mutating func skip(_ item: String, at place: SourcePlace, _ error: Unusable) throws(CassetteError) {
      if error.refusesFile {
        throw CassetteError(file: place.file, line: place.line, column: 1, message: "\(item): \(error.reason)")
      }
      skipped.append(.init(file: place.file, line: place.line, item: item, reason: error.reason + error.advice))
    }
  }

  var format: CassetteFormat
  /// The files; more than one only where a recording has a file of its own.
  var paths: [String]
  /// The cassette's name.
  var name: String
  /// The path that a person named.
  var label: String
}

/// A recording that was not taken over.
package struct SkippedRecording: Sendable {
  /// The file its recording is in.
  package var file: String
  /// The line its recording begins at.
  package var line: Int
  /// The recording that was skipped: `entry 3`.
  package var item: String
  /// The reason for it.
  package var reason: String
}

extension Interaction {
  /// Returns a hash of the request and a status, which identifies equal answers.
  func answerKey(_ status: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(method)
    hasher.combine(url)
    hasher.combine(status)
    hasher.combine((try? requestBody?.bytes()) ?? [])
    return hasher.finalize()
  }

  /// Returns the same request, with an answer that was not captured.
  func gap(_ reason: String) -> Interaction {
    var gap = self
    if !isGap { gap.outcome = .failure(RecordedFailure.notCaptured(reason)) }
    return gap
  }

  /// True if the interaction is the placeholder of a skipped recording.
  var isGap: Bool { failure?.gap != nil }
}
