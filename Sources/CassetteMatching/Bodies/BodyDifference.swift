/// A place at which a sent body says something else than a recorded one.
package struct BodyDifference: Equatable, Sendable {
  /// The place: `$.id` of JSON, a form's field, `part name` of multipart, `line 3` of text; empty for the whole body.
  var place: String
  /// The sent value as written, shortened; nil when it is missing.
  var sent: String?
  /// The recorded value as written, shortened; nil when it is missing.
  var recorded: String?
  /// True if both values are of one type and are made anew at each call.
  package var isGenerated: Bool
}

/// Places in a body, as ``BodyDifference/place`` names them.
package typealias BodyPlaces = Set<String>
