import CassetteJSON

/// A value in a file of another tool, which remembers the parts that a reader used.
///
/// A reader uses a scalar by reading it, and a whole value by reading its bytes. The parts of a value that no reader used
/// are lost, and the import reports them.
struct SourceValue {
  /// The value, from which reading is not remembered.
  let json: JSONValue
  private let reading: Reading

  private final class Reading {
    /// The offsets of the values whose content was used.
    var used: Set<Int> = []
    /// The offsets of the values whose members or elements were looked up.
    var opened: Set<Int> = []
    /// The offsets of the objects whose member names are data, because all members were read.
    var enumerated: Set<Int> = []
    /// The source of converted YAML scalars, by the offset of their JSON.
    let texts: [Int: String]

    init(_ texts: [Int: String]) { self.texts = texts }
  }

  /// Creates a value; `texts` is the source of converted YAML scalars, by the offset of their JSON.
  init(_ json: JSONValue, _ texts: [Int: String] = [:]) { self.init(json, Reading(texts)) }

  private init(_ json: JSONValue, _ reading: Reading) { (self.json, self.reading) = (json, reading) }

  /// The first member with a name; `null` counts as missing.
  subscript(name: String) -> SourceValue? {
    reading.opened.insert(json.offset)
    return json[name].map { SourceValue($0, reading) }
  }

  /// Returns the last member with a name, which may be `null`.
  func last(_ name: String) -> SourceValue? {
    reading.opened.insert(json.offset)
    return json.members.last { $0.name == name }.map { SourceValue($0.value, reading) }
  }

  /// The members of an object whose names are data.
  var members: [(name: String, value: SourceValue)] {
    if json.isObject { reading.enumerated.insert(json.offset) }
    return json.members.map { ($0.name, SourceValue($0.value, reading)) }
  }

  var elements: [SourceValue] {
    reading.opened.insert(json.offset)
    return json.elements.map { SourceValue($0, reading) }
  }

  var isObject: Bool { json.isObject }
  var isArray: Bool { json.isArray }
  var isString: Bool { json.isString }
  var isNull: Bool { json.isNull }

  var string: String? { using(json.string) }
  /// The text of a string, number or boolean, as written in the file.
  var scalar: String? { using(reading.texts[json.offset] ?? json.scalar) }
  var number: Double? { using(json.number) }
  var integer: Int? { using(json.integer) }
  var isTrue: Bool { scalar != nil && json.isTrue }
  var strings: [String] { isArray ? elements.compactMap(\.scalar) : [scalar].compactMap(\.self) }
  var stringBytes: [UInt8] { isString ? using(json.stringBytes) ?? [] : [] }
  var bytes: [UInt8] { using(json.bytes) ?? [] }
  var compact: [UInt8] { using(json.compact) ?? [] }

  /// Marks the whole value as used.
  func use() { reading.used.insert(json.offset) }

  private func using<Value>(_ value: Value?) -> Value? {
    if value != nil { use() }
    return value
  }

  // MARK: Finding unused parts

  /// Calls `leave` with the path and value of each part that no reader used, without empty parts, and without members
  /// that `isIgnored` names.
  func eachUnused(
    at path: String = "", isIgnored: (String) -> Bool, _ leave: (String, SourceValue) -> Void
  ) {
    if reading.used.contains(json.offset) || json.isEmpty { return }
    let isEnumerated = reading.enumerated.contains(json.offset)
    guard isEnumerated || reading.opened.contains(json.offset), json.isObject || json.isArray else {
      return leave(path, self)
    }
    for element in json.elements {
      SourceValue(element, reading).eachUnused(at: "\(path)[]", isIgnored: isIgnored, leave)
    }
    for (name, value) in json.members where isEnumerated || !isIgnored(name) {
      let step = isEnumerated ? "*" : String(name.prefix(100))
      let inner = path.isEmpty ? step : "\(path).\(step)"
      SourceValue(value, reading).eachUnused(at: inner, isIgnored: isIgnored, leave)
    }
  }
}

extension JSONValue {
  /// True if the value is an empty string, `null`, `false` or zero, or has only such values.
  fileprivate var isEmpty: Bool {
    if isObject { return members.allSatisfy(\.value.isEmpty) }
    if isArray { return elements.allSatisfy(\.isEmpty) }
    return isNull || ["", "false", "0"].contains(scalar)
  }
}
