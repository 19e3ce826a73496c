internal import CassetteHTTP
package import CassetteJSON

/// A request body in normal form, so that bodies are compared by content instead of spelling.
///
/// JSON is compared as values, a form as fields, multipart without its boundary, GraphQL in normal form, JSON-RPC
/// without its `id`, and everything else as bytes. Creating the normal form takes one pass over the body.
package struct NormalBody: Sendable {
  /// The form in which a body is compared.
  package enum Kind: UInt64, Sendable {
    case json, form, multipart, text, bytes
  }

  /// The bytes of the body.
  let bytes: [UInt8]
  /// The form in which the body is compared.
  package let kind: Kind
  /// The differences that the rules permit.
  let tolerance: JSONTolerance
  /// The digest, which is equal for bodies with equal content.
  package let digest: BodyDigest
  /// The digest with each generated value replaced by a mark.
  ///
  /// Bodies with equal skeletons differ only in values that are generated at each call. The mark depends on the JSON
  /// type of the value.
  package let skeleton: BodyDigest
  /// The values; nil for text and other bytes.
  let tree: JSONTree?
  /// The maximum number of elements if the body has more and is compared only as bytes; nil if it has not.
  private let exceeded: Int?

  /// Parses a body according to its `Content-Type`, or by its appearance if the type is missing or generic.
  package init(
    _ bytes: [UInt8], contentType: String?, tolerance: JSONTolerance = JSONTolerance(), mostElements: Int = .max
  ) {
    self.bytes = bytes
    self.tolerance = tolerance
    exceeded = BodyElements.exceed(mostElements, in: bytes) ? mostElements : nil
    let (kind, read) =
      exceeded == nil ? Self.read(bytes, contentType.flatMap { MediaType($0) }) : (.bytes, nil)
    self.kind = kind
    tree = tolerance.ignored.isEmpty ? read : read?.withInnerValues()
    var pair =
      if let tree {
        BodyDigester.digests(of: tree, tolerance)
      } else {
        BodyDigester.digests(of: bytes, isText: kind == .text)
      }
    // A form never equals a JSON body, even if their fields are equal.
    pair.digest.add(kind.rawValue)
    pair.skeleton.add(kind.rawValue)
    (digest, skeleton) = pair
  }

  /// The paths of ignored values that select nothing in the body.
  package var unmet: [JSONQuery] { tree.map(tolerance.unmet) ?? tolerance.ignored }

  private static func read(_ bytes: [UInt8], _ type: MediaType?) -> (Kind, JSONTree?) {
    guard !bytes.isEmpty else { return (.bytes, nil) }
    let isUnsaid = type.map { $0.type == "application" && $0.subtype == "octet-stream" } ?? true
    // JSON is detected regardless of the type, because curl sends it as a form. A lone number in a text body remains
    // text.
    if let tree = JSONBody.tree(bytes), tree.isContainer || isUnsaid || type?.isJSON == true { return (.json, tree) }
    if type?.subtype == "graphql", let tree = JSONBody.tree(ofDocument: bytes) { return (.json, tree) }
    if type?.type == "multipart" || isUnsaid {
      let said = type?.parameter("boundary").map { Array($0.utf8) }
      let tree = said.flatMap { MultipartBody.tree(bytes, boundary: $0) }
      if let tree = tree ?? MultipartBody.boundary(of: bytes).flatMap({ MultipartBody.tree(bytes, boundary: $0) }) {
        return (.multipart, tree)
      }
    }
    let isForm = isUnsaid ? FormBody.isLikely(bytes) : type?.subtype == "x-www-form-urlencoded"
    // curl also sends binary files as forms.
    if isForm, FormBody.isPossible(bytes) { return (.form, FormBody.tree(bytes)) }
    return (BodyText.isText(bytes) ? .text : .bytes, nil)
  }

  /// True if secrets were redacted, so that the digests are useless and the body is compared place by place.
  ///
  /// Searches the whole body: intended for one call per recording.
  package var hasPlaceholders: Bool { PlaceholderPattern.mayHold(bytes) || tree.map(SecretNumber.isIn) ?? false }
}

extension NormalBody {
  /// Returns the places at which all recorded bodies have different scalars; empty if the bodies differ elsewhere, too.
  package static func changing(among bodies: [NormalBody]) -> BodyPlaces {
    guard let first = bodies.first, let tree = first.tree, bodies.count > 1 else { return BodyPlaces() }
    var places: Set<String>?
    var values: [String: Set<[UInt8]>] = [:]
    for body in bodies.dropFirst() {
      guard body.kind == first.kind, let other = body.tree else { return BodyPlaces() }
      let comparison = first.comparison(with: other, limit: 100)
      let found = comparison.found
      guard found.count < 100, comparison.left > 0 else { return BodyPlaces() }
      var here: Set<String> = []
      for difference in found {
        guard let now = difference.sent.flatMap({ value($0, other) }),
          let then = difference.recorded.flatMap({ value($0, tree) }), now.first == then.first
        else { return BodyPlaces() }
        let place = first.place(difference.path)
        here.insert(place)
        values[place, default: [then]].insert(now)
      }
      // A repeated field has one place but two values.
      guard here.count == found.count, places == nil || places == here else { return BodyPlaces() }
      places = here
    }
    guard let places, values.values.allSatisfy({ $0.count == bodies.count }) else { return BodyPlaces() }
    return BodyPlaces(places)
  }

  /// Returns a form of a value in which equal values have the same bytes; nil for objects, arrays and literals.
  ///
  /// A string is a quote and its decoded text, and a number is a zero and its digits and exponent.
  private static func value(_ node: JSONTree.Node, _ tree: JSONTree) -> [UInt8]? {
    guard case .scalar = node.kind else { return nil }
    let token = tree.bytes[node.range]
    if token.first == UInt8(ascii: "\"") { return [UInt8(ascii: "\"")] + JSONTree.text(ofString: token) }
    guard let number = JSONNumber(token) else { return nil }
    return [UInt8(ascii: "0")] + number.digits + Array("e\(number.exponent)\(number.isNegative)".utf8)
  }
}

extension NormalBody {
  /// The maximum number of differences that are reported.
  private static let most = 100
  /// The maximum number of generated values that are examined; a body with more of them counts as different.
  private static let mostGenerated = 10_000

  /// Returns the differences of a sent body from this recorded body in document order, at most a hundred, except those
  /// at changing places.
  package func differences(from sent: NormalBody, changing: BodyPlaces = BodyPlaces()) -> [BodyDifference] {
    if bytes == sent.bytes { return [] }
    guard kind == sent.kind, !sent.bytes.isEmpty, !bytes.isEmpty else { return wholeDifference(from: sent) }
    if let tree, let sentTree = sent.tree { return differences(from: sentTree, in: tree, changing) }
    return kind == .text ? lineDifferences(from: sent) : wholeDifference(from: sent)
  }

  /// Returns a difference of the whole bodies, if their kinds differ or they have no structure.
  private func wholeDifference(from sent: NormalBody) -> [BodyDifference] {
    // With redacted secrets, a body may appear to be of another kind. If the kinds differ, values have no common
    // delimiters.
    if let pattern = PlaceholderPattern(bytes) {
      let isSecret = tree == nil && pattern.isSecretAlone
      if pattern.matches(sent.bytes, asValues: kind != sent.kind && !isSecret) { return [] }
    }
    return [BodyDifference(place: "", sent: sent.summary, recorded: summary, isGenerated: false)]
  }

  private var summary: String? {
    if bytes.isEmpty { return nil }
    if let exceeded { return "more than \(exceeded) elements, which are not compared one by one (--max-elements)" }
    return kind == .bytes ? "\(bytes.count) bytes" : JSONDifference.excerpt(bytes[...])
  }

  // MARK: Values

  private func differences(from sent: JSONTree, in tree: JSONTree, _ changing: BodyPlaces) -> [BodyDifference] {
    func isGenerated(_ path: [JSONPath.Step], _ left: JSONTree.Node, _ right: JSONTree.Node) -> Bool {
      self.isGenerated(
        sent.bytes, left, tree.bytes, right, isChanging: changing.contains(place(path)), name: Self.name(path))
    }
    var count = 0
    // Generated values beyond the reporting limit are still examined, so that they do not hide a decisive difference
    // after them. This requires pairs of values, which do not exist if the order of elements is ignored.
    let comparison = comparison(
      with: sent, limit: Self.most + 1,
      besides: tolerance.allowsAnyOrder
        ? nil
        : { path, left, right in
          guard count < Self.mostGenerated, isGenerated(path, left, right) else { return false }
          count += 1
          return count > Self.most
        })
    var differences = comparison.found.map { found in
      let isGenerated =
        if let left = found.sent, let right = found.recorded { isGenerated(found.path, left, right) } else { false }
      let (now, then) = Self.shown(found.sent.map { Self.text($0, sent) }, found.recorded.map { Self.text($0, tree) })
      return BodyDifference(place: place(found.path), sent: now, recorded: then, isGenerated: isGenerated)
    }
    let next = differences.count > Self.most ? differences.removeLast() : nil
    if next != nil || comparison.left <= 0, differences.allSatisfy(\.isGenerated) {
      // A part that could not be compared counts as different; the last reported difference is then a decisive one.
      var last = next ?? BodyDifference(place: "", sent: nil, recorded: nil, isGenerated: false)
      last.isGenerated = false
      differences = differences.prefix(Self.most - 1) + [last]
    }
    return differences
  }

  /// Compares the bodies; redacted secrets equal any sent value, and `besides` permits further differences.
  func comparison(with sent: JSONTree, limit: Int, besides: JSONComparison.Leniency? = nil) -> JSONComparison {
    let tree = tree ?? sent
    let hasPlaceholders = PlaceholderPattern.mayHold(bytes)
    var comparison = JSONComparison(
      sent: sent, recorded: tree, limit: limit, tolerance: tolerance,
      left: (1 << 21) + (sent.bytes.count + tree.bytes.count) * 2,
      forgives: { path, left, right in
        Self.isSecret(sent.bytes, left, tree.bytes, right, name: Self.name(path))
          || besides?(path, left, right) ?? false
      },
      standsFor: hasPlaceholders ? { PlaceholderPattern($0)?.matches } : nil)
    comparison.run()
    return comparison
  }

  /// Returns true if a recorded value is the placeholder of a secret that the sent value may be.
  private static func isSecret(
    _ sent: [UInt8], _ left: JSONTree.Node, _ recorded: [UInt8], _ right: JSONTree.Node, name: String
  ) -> Bool {
    guard case .scalar = left.kind, case .scalar = right.kind else { return false }
    let (now, then) = (sent[left.range], recorded[right.range])
    let isText = now.first == UInt8(ascii: "\"")
    guard then.first == UInt8(ascii: "\"") else { return !isText && SecretNumber.isOne(then, named: name) }
    guard let pattern = PlaceholderPattern(JSONTree.text(ofString: then)) else { return false }
    if isText { return pattern.matches(JSONTree.text(ofString: now)) }
    // A redacted number may be recorded as a string, and the bytes of a part as a placeholder alone.
    return pattern.isSecretAlone && (JSONNumber(now) != nil || now.first == UInt8(ascii: "<"))
  }

  private func isGenerated(
    _ sent: [UInt8], _ left: JSONTree.Node, _ recorded: [UInt8], _ right: JSONTree.Node, isChanging: Bool, name: String
  ) -> Bool {
    guard case .scalar = left.kind, case .scalar = right.kind else { return false }
    let (now, then) = (sent[left.range], recorded[right.range])
    let quote = UInt8(ascii: "\"")
    let name = Array(name.utf8)
    if now.first == quote, then.first == quote {
      return isChanging
        || GeneratedValue.differsOnly(JSONTree.text(ofString: now), JSONTree.text(ofString: then), named: name)
    }
    guard JSONNumber(now) != nil, JSONNumber(then) != nil else { return false }
    return isChanging
      || GeneratedText.isTimestamp(sent, left.range, named: name)
        && GeneratedText.isTimestamp(recorded, right.range, named: name)
  }

  /// Returns the name of the innermost member on a path.
  private static func name(_ path: [JSONPath.Step]) -> String {
    for case .member(let name) in path.reversed() { return name }
    return ""
  }

  /// Returns a path in the notation for users.
  func place(_ path: [JSONPath.Step]) -> String {
    switch kind {
    case .form: return Self.name(path)
    case .multipart:
      guard case .member(let part)? = path.first else { return "" }
      let rest = Array(path.dropFirst())
      switch rest.first {
      case .member("")? where rest.count == 1, nil: return "part \(part)"
      case .member("")?: return "part \(part) \(JSONPath(Array(rest.dropFirst())))"
      case .member(let field)?: return "part \(part) \(field)"
      case .element?: return "part \(part)"
      }
    case .json, .text, .bytes: return JSONPath(path).description
    }
  }

  /// Returns the text of a value, or of the content of a part.
  private static func text(_ node: JSONTree.Node, _ tree: JSONTree) -> ArraySlice<UInt8> {
    if case .object(let members) = node.kind, node.range.isEmpty, let last = members.last {
      return text(last.value, tree)
    }
    return tree.bytes[node.range]
  }

  /// Shortens two values to the beginning of their first difference.
  private static func shown(_ sent: ArraySlice<UInt8>?, _ recorded: ArraySlice<UInt8>?) -> (String?, String?) {
    let most = 100
    guard let sent, let recorded, sent.count > most || recorded.count > most else {
      return (sent.map(JSONDifference.excerpt), recorded.map(JSONDifference.excerpt))
    }
    var common = zip(sent, recorded).prefix { $0 == $1 }.count
    guard common > most / 2 else { return (JSONDifference.excerpt(sent), JSONDifference.excerpt(recorded)) }
    common -= 30
    func end(_ text: ArraySlice<UInt8>) -> String {
      "…" + JSONDifference.excerpt(text.dropFirst(common).drop { $0 & 0xc0 == 0x80 })
    }
    return (end(sent), end(recorded))
  }

  // MARK: Text

  private func lineDifferences(from sent: NormalBody) -> [BodyDifference] {
    if PlaceholderPattern(bytes)?.matches(sent.bytes) ?? false { return [] }
    let (now, then) = (BodyText.lines(sent.bytes), BodyText.lines(bytes))
    let before = zip(now, then).prefix { $0 == $1 }.count
    let after = zip(now[before...].reversed(), then[before...].reversed()).prefix { $0 == $1 }.count
    let (left, right) = (now[before..<now.count - after], then[before..<then.count - after])
    var found: [BodyDifference] = []
    var isOther = false
    for offset in 0..<max(left.count, right.count) where found.count < Self.most || !isOther {
      let line = before + offset
      let (one, other) = (line < left.endIndex ? left[line] : nil, line < right.endIndex ? right[line] : nil)
      if let one, let other {
        if one == other { continue }
        let (text, recorded) = (Array(one), Array(other))
        if PlaceholderPattern(recorded)?.matches(text) ?? false { continue }
      }
      let isGenerated =
        if let one, let other { GeneratedValue.differsOnly(inTokens: Array(one), Array(other)) } else { false }
      if found.count == Self.most {
        // Enough generated values are reported: only other differences are still searched for, and replace the last
        // one.
        if isGenerated { continue }
        found.removeLast()
      }
      isOther = isOther || !isGenerated
      let (shown, wanted) = Self.shown(one.map(Self.withoutEnd), other.map(Self.withoutEnd))
      found.append(BodyDifference(place: "line \(line + 1)", sent: shown, recorded: wanted, isGenerated: isGenerated))
    }
    // The lines are equal but the bodies are not: a secret spans several lines.
    return found.isEmpty ? wholeDifference(from: sent) : found
  }

  private static func withoutEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0a ? line.dropLast() : line
  }
}
