/// A difference between a sent body and a recorded body.
package struct BodyDifference: Equatable, Sendable {
  /// The place: `$.id` of JSON, a form's field, `part name` of multipart, `line 3` of text; empty for the whole body.
  var place: String
  /// The sent value, shortened; nil if it is missing.
  var sent: String?
  /// The recorded value, shortened; nil if it is missing.
  var recorded: String?
  /// True if both values have the same type and appear to be generated at each call.
  package var isGenerated: Bool
}

/// Places in a body, in the notation of ``BodyDifference/place``.
package typealias BodyPlaces = Set<String>
