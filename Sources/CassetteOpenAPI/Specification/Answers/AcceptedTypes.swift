internal import CassetteHTTP

/// The media ranges of an `Accept` field, for content negotiation (RFC 9110 §12.5.1).
package struct AcceptedTypes: Sendable {
  private struct Range {
    var media: MediaType
    var weight: Int
    var order: Int

    /// The specificity of the range; the most specific range that matches a type applies.
    var rank: Int {
      if media.type == "*" { return 0 }
      if media.subtype == "*" { return 1 }
      return media.parameters.isEmpty ? 2 : 3
    }

    func matches(_ other: MediaType) -> Bool {
      (media.type == "*" || media.type == other.type || other.type == "*")
        && (media.subtype == "*" || media.subtype == other.subtype || other.subtype == "*")
        && media.parameters.allSatisfy { wanted in other.parameter(wanted.name).map { $0 == wanted.value } ?? true }
    }
  }

  private var ranges: [Range] = []

  /// Parses the values of `Accept` fields; without values, every media type is accepted.
  package init(_ values: [String]) {
    for member in values.flatMap({ $0.split(separator: ",") }) {
      // Some clients send `*` instead of `*/*`.
      let text =
        member.trimmingPrefix(" ").hasPrefix("*;") || member.trimmingPrefix(" ") == "*" ? "*/*" : String(member)
      guard var media = MediaType(text) else { continue }
      var weight = 1_000
      if let index = media.parameters.firstIndex(where: { $0.name == "q" }) {
        weight = Double(media.parameters[index].value).map { Int(max(0, min($0, 1)) * 1_000) } ?? 1_000
        // Parameters after the weight are extensions, and not part of the media type.
        media.parameters.removeSubrange(index...)
      }
      ranges.append(Range(media: media, weight: weight, order: ranges.count))
    }
  }

  /// Chooses the preferred media type or range.
  ///
  /// - Parameter offered: The documented types and ranges, in order.
  /// - Returns: The index of the chosen one, and a concrete type that matches it, or nil if none is acceptable.
  package func choice(of offered: [String]) -> (index: Int, type: String)? {
    let known = offered.enumerated().compactMap { entry in MediaType(entry.element).map { (entry.offset, $0) } }
    guard !ranges.isEmpty else { return known.first.map { ($0.0, Self.concrete($0.1, nil)) } }
    var best: (index: Int, type: String, weight: Int, order: Int)?
    for (index, media) in known {
      // The most specific range determines the weight.
      let matching = ranges.filter { $0.matches(media) }
      guard let range = matching.max(by: { ($0.rank, $1.order) < ($1.rank, $0.order) }), range.weight > 0 else {
        continue
      }
      if let best, (best.weight, -best.order) >= (range.weight, -range.order) { continue }
      best = (index, Self.concrete(media, range.media), range.weight, range.order)
    }
    return best.map { ($0.index, $0.type) }
  }

  /// Returns a concrete type for a documented type or range.
  private static func concrete(_ media: MediaType, _ wanted: MediaType?) -> String {
    guard media.type == "*" || media.subtype == "*" else { return media.description }
    if let wanted, wanted.type != "*", wanted.subtype != "*" { return "\(wanted.type)/\(wanted.subtype)" }
    return switch media.type {
    case "text": "text/plain"
    case "image": "image/png"
    case "audio": "audio/mpeg"
    case "video": "video/mp4"
    default: "application/json"
    }
  }
}
