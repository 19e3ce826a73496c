internal import CassetteJSON
internal import CassetteSystem

/// Converts the events of a YAML parser to JSON, with each value on the line that it has in the YAML.
struct YAMLComposer {
  enum Style { case plain, quoted }
  enum Kind { case mapping, sequence }

  /// An open mapping or sequence.
  private struct Frame {
    var kind: Kind
    var start: Int
    var anchor: [UInt8]?
    var isEmpty = true
    /// True if the value is wrapped in an object that names its type.
    var isWrapped = false
    /// True if the next node of a mapping is a key.
    var isKey: Bool
    /// The indices in `starts` of the members, by key.
    var keys: [[UInt8]: Int] = [:]
    /// The offsets in the JSON at which the members begin.
    var starts: [Int] = []
    /// The offset at which the member `<<` begins, while its value is written.
    var mergeStart: Int?
    /// The mappings in the value of `<<`, whose members are added at the end.
    var merged: [[UInt8]] = []
  }

  private let text: [UInt8]
  private let wanted: YAMLReader.Schema
  let tags: YAMLTags
  private var schema: YAMLReader.Schema
  private var json: [UInt8] = []
  private var frames: [Frame] = []
  private var anchors: [[UInt8]: [UInt8]] = [:]
  /// The spellings of the values written so far, in the order of the JSON.
  private var spellings: [YAMLDocument.Spelling] = []
  /// The remaining number of bytes that aliases may add to the JSON.
  private var budget: Int
  /// The YAML offset up to which line breaks were counted; `missing` of them have not been written to the JSON yet.
  private var counted = 0
  private var missing = 0
  /// The YAML offsets of values, in the order of the JSON; recorded only if `keepsPlaces` is true.
  private var places: [YAMLDocument.Place] = []
  private let keepsPlaces: Bool

  init(_ text: [UInt8], _ schema: YAMLReader.Schema, _ tags: YAMLReader.Tags, keepsPlaces: Bool = false) {
    (self.text, wanted, self.schema, self.tags) = (text, schema, schema, YAMLTags(tags))
    self.keepsPlaces = keepsPlaces
    budget = 10 * text.count + 1 << 20
  }

  mutating func resetSchema() { schema = wanted }
  mutating func useLegacy() { schema = .legacy }

  // MARK: Documents

  /// Starts a document, without the lines of earlier documents: these would take quadratic memory.
  mutating func beginDocument() { (json, frames, anchors, places, spellings) = ([], [], [:], [], []) }

  func endDocument() -> YAMLDocument { YAMLDocument(json, places, spellings) }

  // MARK: Values

  mutating func scalar(
    _ content: [UInt8], _ style: Style, _ properties: YAMLParser.Properties, at place: Int
  ) throws(YAMLError) {
    let meaning = try tags.meaning(of: properties.tag, style, at: place)
    if frames.last?.isKey == true {
      if style == .plain, properties.isEmpty, content == [0x3c, 0x3c] { return beginMerge() }
      let start = try writeKey(style == .plain ? tags.key(content) : content, at: place)
      // `writeKey` has already written the colon after the key.
      return try keep(properties.anchor, json[start..<json.count - 1], at: place)
    }
    let start = begin(at: place)
    let isWrapped = wrap(properties.tag)
    switch meaning {
    case .text: string(content)
    case .binary:
      // Python's `bytes` often contain UTF-8, which is more readable as a string.
      if let bytes = BodyBase64.decode(lines: content), UTF8Check.firstInvalid(in: bytes.span) == nil {
        string(bytes)
        break
      }
      json += Array("{\"\(YAMLReader.binary)\":".utf8)
      string(content.filter { !YAMLParser.isSpace($0) })
      json.append(UInt8(ascii: "}"))
    case .resolved(let type):
      // The tag `!!float` also accepts an integer, and an exponent without a sign (`1.5e3`).
      let isFloat = type == .float
      if let token = YAMLScalar.token(of: content, schema) ?? (isFloat ? YAMLScalar.token(of: content, .core) : nil) {
        let found = YAMLScalar.type(ofToken: token)
        if let type, type != found, !isFloat || found != .integer {
          throw YAMLError("the value does not have the type of its tag", at: place)
        }
        if found != .null, token != content { spellings.append(.init(json: json.count, text: content)) }
        json += token
      } else {
        // JSON cannot represent infinity and NaN, so they stay strings.
        if type != nil, !isFloat { throw YAMLError("the value does not have the type of its tag", at: place) }
        string(content)
      }
    case .collection: throw YAMLError("a scalar has the tag of a collection", at: place)
    }
    if isWrapped { json.append(UInt8(ascii: "}")) }
    try keep(properties.anchor, json[start...], at: place)
    try ended()
  }

  mutating func alias(_ name: [UInt8], at place: Int) throws(YAMLError) {
    guard let value = anchors[name] else {
      throw YAMLError(
        "the anchor &\(String(decoding: name.prefix(60), as: UTF8.self)) is not defined before this alias", at: place)
    }
    try spend(value.count, at: place)
    if frames.last?.isKey == true {
      guard value.first == UInt8(ascii: "\"") else {
        if value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") { throw Self.collectionKey(place) }
        _ = try writeKey(value, at: place)
        return
      }
      let content = Array(value.dropFirst().dropLast())
      _ = try writeKey(JSONString.decodeLoosely(content.span), at: place)
      return
    }
    _ = begin(at: place)
    json += value
    try ended()
  }

  mutating func begin(_ kind: Kind, _ properties: YAMLParser.Properties, at place: Int) throws(YAMLError) {
    try tags.check(properties.tag, kind, at: place)
    guard frames.last?.isKey != true else { throw Self.collectionKey(place) }
    if let anchor = properties.anchor { anchors[anchor] = nil }
    let start = begin(at: place)
    let isWrapped = wrap(properties.tag)
    json.append(kind == .mapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
    frames.append(
      Frame(kind: kind, start: start, anchor: properties.anchor, isWrapped: isWrapped, isKey: kind == .mapping))
  }

  /// Writes the start of the object that names the type of a value; returns false if the value needs no such object.
  private mutating func wrap(_ tag: [UInt8]?) -> Bool {
    guard let type = tags.object(of: tag) else { return false }
    json += Array("{\"\(YAMLReader.tag)\":".utf8)
    string(Array(type.utf8))
    json += Array(",\"\(YAMLReader.value)\":".utf8)
    return true
  }

  mutating func end(at place: Int) throws(YAMLError) {
    guard var frame = frames.popLast() else { return }
    for mapping in frame.merged { try merge(mapping, into: &frame, at: place) }
    json.append(frame.kind == .mapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    if frame.isWrapped { json.append(UInt8(ascii: "}")) }
    try keep(frame.anchor, json[frame.start...], at: place)
    try ended()
  }

  // MARK: Writing

  private static func collectionKey(_ place: Int) -> YAMLError {
    YAMLError("a collection cannot be a key in JSON", at: place)
  }

  /// Writes the separator and line breaks before a value, and returns the offset at which the value begins.
  private mutating func begin(at place: Int) -> Int {
    if let last = frames.indices.last, frames[last].kind == .sequence {
      if !frames[last].isEmpty { json.append(UInt8(ascii: ",")) }
      frames[last].isEmpty = false
    }
    moveDown(to: place)
    note(place)
    return json.count
  }

  private mutating func note(_ place: Int) {
    if keepsPlaces { places.append(YAMLDocument.Place(json: json.count, yaml: place)) }
  }

  /// Writes line breaks until the JSON is on the line of a YAML offset.
  private mutating func moveDown(to place: Int) {
    guard place > counted else { return }
    for at in counted..<min(place, text.count) where text[at] == 0x0a { missing += 1 }
    counted = place
    json += repeatElement(0x0a, count: missing)
    missing = 0
  }

  /// Writes a key and a colon, and returns the offset at which the key begins.
  private mutating func writeKey(_ key: [UInt8], at place: Int) throws(YAMLError) -> Int {
    let last = frames.count - 1
    let earlier = frames[last].keys[key]
    guard earlier == nil || tags.takesLastOfKeys else {
      throw YAMLError("the key \(String(decoding: key.prefix(60), as: UTF8.self)) occurs twice", at: place)
    }
    if !frames[last].isEmpty { json.append(UInt8(ascii: ",")) }
    frames[last].keys[key] = frames[last].starts.count
    frames[last].starts.append(json.count)
    // The last of two equal keys counts. The first member becomes white space, so that all values keep their lines.
    if let earlier {
      for at in frames[last].starts[earlier]..<frames[last].starts[earlier + 1] where json[at] != 0x0a {
        json[at] = 0x20
      }
    }
    frames[last].isEmpty = false
    frames[last].isKey = false
    moveDown(to: place)
    note(place)
    let start = json.count
    string(key)
    defer { json.append(UInt8(ascii: ":")) }
    return start
  }

  private mutating func string(_ content: [UInt8]) { JSONString.append(content.span, to: &json) }

  private mutating func ended() throws(YAMLError) {
    guard let last = frames.indices.last, frames[last].kind == .mapping else { return }
    frames[last].isKey = true
    if let start = frames[last].mergeStart { try endMerge(last, start) }
  }

  // MARK: Anchors

  /// Stores the value of an anchor for later aliases, and deducts its size from the budget.
  private mutating func keep(_ anchor: [UInt8]?, _ value: ArraySlice<UInt8>, at place: Int) throws(YAMLError) {
    guard let anchor else { return }
    try spend(value.count, at: place)
    anchors[anchor] = Array(value)
  }

  private mutating func spend(_ count: Int, at place: Int) throws(YAMLError) {
    budget -= count
    guard budget >= 0 else { throw YAMLError("aliases expand the text more than tenfold", at: place) }
  }

  // MARK: Merged mappings (YAML 1.1, `<<`)

  private mutating func beginMerge() {
    let last = frames.count - 1
    frames[last].isKey = false
    frames[last].mergeStart = json.count
    json.append(UInt8(ascii: ":"))
  }

  /// Removes the value of `<<`, a mapping or a sequence of mappings, from the JSON and stores it for the end of the
  /// mapping.
  private mutating func endMerge(_ last: Int, _ start: Int) throws(YAMLError) {
    let value = Array(json[(start + 1)...])
    missing += value.count { $0 == 0x0a }
    json.removeSubrange(start...)
    while let last = places.last, last.json >= start { places.removeLast() }
    while let last = spellings.last, last.json >= start { spellings.removeLast() }
    frames[last].mergeStart = nil
    guard let tree = JSONTree(value) else { return }
    switch tree.root.kind {
    case .object: frames[last].merged.append(value)
    case .array(let elements):
      for element in elements {
        guard case .object = element.kind else { throw YAMLError("<< supports only mappings", at: counted) }
        frames[last].merged.append(Array(value[element.range]))
      }
    case .scalar: throw YAMLError("<< supports only mappings", at: counted)
    }
  }

  private mutating func merge(_ mapping: [UInt8], into frame: inout Frame, at place: Int) throws(YAMLError) {
    guard let tree = JSONTree(mapping), case .object(let members) = tree.root.kind else { return }
    for member in members where frame.keys[member.name] == nil {
      frame.keys[member.name] = frame.starts.count
      try spend(member.value.range.count, at: place)
      if !frame.isEmpty { json.append(UInt8(ascii: ",")) }
      frame.isEmpty = false
      string(member.name)
      json.append(UInt8(ascii: ":"))
      json += mapping[member.value.range].filter { $0 != 0x0a }
    }
  }
}
