internal import CassetteMatching
package import Cassettes

/// The part of a session that an answer may use, copied when the answer was chosen.
package struct SessionView: Sendable {
  /// The session's name; empty for requests that name none.
  var name = ""
  /// The number of plays of the recording in the session, starting at 1.
  var turn = 1
  /// The number of identical requests in the session so far, starting at 1; counted only with a seed.
  var repetition = 1
  /// The states of the scenarios that have left their initial state.
  var states: [String: String] = [:]
  /// The counters and generated names of the session's templates.
  var memory: (any TemplateMemory)?
  /// The deck's settings when the answer was chosen.
  package var settings = PlaybackSettings()
  /// The factor by which recorded delays and gaps are shortened; 0 removes them.
  var speed = 1.0
}
