internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// A cassette with resources that behave like a recorded server: paths, ids, members and types, statuses, and errors.
///
/// Users are expected to edit the cassette. It contains only observed behavior.
package struct Simulation: Sendable {
  /// A summary of a resource.
  package struct Found: Sendable {
    package let path: String
    /// The operations that the resource allows: `list`, `create`.
    package let operations: [String]
    package let elements: Int
    /// The number of exchanges that the resource replaces.
    package let exchanges: Int
  }

  /// The cassette with the resources, and with the exchanges that belong to none of them.
  package let cassette: Cassette
  package let found: [Found]

  /// Derives resources from a recording.
  ///
  /// - `recording`: The recording. Only exchanges with its own origin are considered.
  /// - `redaction`: The redaction of secrets, because elements are copied from responses. Default: the standard
  ///   redaction.
  package init(
    _ recording: Cassette, name: String, redaction: CassetteRedaction = .standard
  ) throws(CassetteError) {
    var recording = recording
    recording.interactions = try redaction.redacting(recording.interactions)
    let own = recording.origin.map { RecordedTarget.canonicalOrigin($0) }
    let exchanges = recording.interactions.enumerated().compactMap { number, interaction -> ObservedExchange? in
      let origin = RecordedTarget.origin(of: interaction.url)
      guard origin == nil || origin == own else { return nil }
      return ObservedExchange(interaction, number: number)
    }
    var definitions: [EditableJSON] = []
    var found: [Found] = []
    var covered: Set<Int> = []
    for path in ObservedCollection.paths(in: exchanges) {
      let collection = ObservedCollection(path, in: exchanges)
      let (definition, count) = Self.definition(of: collection)
      definitions.append(definition)
      // The exchanges of a nested collection belong to that collection only.
      let own = collection.exchanges.map(\.number).filter { covered.insert($0).inserted }
      var operations: [String] = []
      if case .object(let members)? = definition["operations"] {
        operations = members.map { String(decoding: $0.name, as: UTF8.self) }
      }
      found.append(Found(path: path, operations: operations, elements: count, exchanges: own.count))
    }
    var cassette = Cassette(name: name, origin: recording.origin)
    (cassette.note, cassette.matching) = (recording.note, recording.matching)
    cassette.match = recording.match
    cassette.interactions = recording.interactions.enumerated().filter { !covered.contains($0.offset) }.map(\.element)
    cassette.resources = try Self.read(definitions)
    self.cassette = cassette
    self.found = found
  }

  /// Parses the definitions in the format of a cassette, so that there is only one parser.
  private static func read(_ definitions: [EditableJSON]) throws(CassetteError) -> [any CompiledResource] {
    guard !definitions.isEmpty else { return [] }
    var json = JSONWriter()
    json.object { json in
      json.member("cassette", 1)
      json.member("resource", json: EditableJSON.array(definitions).bytes)
    }
    return try CassetteFile.read(bytes: json.bytes, name: "resource", file: nil).resources
  }

  private static func definition(of collection: ObservedCollection) -> (EditableJSON, elements: Int) {
    let shape = ElementShape(collection)
    var definition = EditableJSON.object([])
    definition["path"] = .string(collection.path)
    definition["id"] = .string(collection.id)
    definition["operations"] = operations(of: collection)
    if let list = ListShape(collection: collection).definition { definition["list"] = list }
    let added = shape.added
    for (name, members) in [("defaults", added.defaults), ("created", added.created), ("changed", added.changed)]
    where !members.isEmpty { definition[name] = .object(members) }
    if let schema = shape.schema { definition["schema"] = schema }
    let errors = Refusals(collection: collection).definition
    if let errors { definition["errors"] = errors }
    let seed = shape.seed
    definition["seed"] = .array(seed)
    return (definition, seed.count)
  }

  /// Returns the observed operations, and `list` and `read`, which are always allowed.
  private static func operations(of collection: ObservedCollection) -> EditableJSON {
    var operations = EditableJSON.object([])
    for operation in ResourceDefinition.Operation.allCases {
      if let status = collection.successes(operation).first?.status {
        operations[operation.rawValue] = .number(status)
      } else if operation == .list || operation == .read {
        operations[operation.rawValue] = .number(200)
      }
    }
    return operations
  }
}

/// The error responses of a collection, with placeholders for the variable parts.
struct Refusals {
  let collection: ObservedCollection

  /// The `errors` member of a resource; nil if there were no error responses.
  var definition: EditableJSON? {
    var errors = EditableJSON.object([])
    if let missing = collection.exchanges.first(where: { $0.status == 404 && $0.path != collection.path }),
      let answer = missing.answered, let name = missing.step?.name
    {
      errors["404"] = opened(answer, name: name)
    }
    if let invalid = collection.exchanges.first(where: { $0.isInvalid && $0.answered != nil && $0.method != .get }),
      let answer = invalid.answered
    {
      let sent = invalid.sent ?? .null
      errors["\(invalid.status)"] = opened(answer, name: nil, lacking: { sent[$0]?.isNull ?? true })
    }
    if case .object(let members) = errors, members.isEmpty { return nil }
    return errors
  }

  /// Returns an error response with placeholders for the element's id and for an object of messages by member.
  private func opened(
    _ value: EditableJSON, name: String?, lacking: ((String) -> Bool)? = nil
  ) -> EditableJSON {
    switch value {
    case .object(let members):
      if let lacking, !members.isEmpty, members.allSatisfy({ $0.value.isArray }),
        members.contains(where: { lacking(String(decoding: $0.name, as: UTF8.self)) })
      {
        return .string("{{fields}}")
      }
      return .object(members.map { .init($0.name, opened($0.value, name: name, lacking: lacking)) })
    case .array(let elements): return .array(elements.map { opened($0, name: name, lacking: lacking) })
    case .scalar:
      guard let name, let text = value.scalar else { return value }
      if text == name { return .string("{{id}}") }
      guard value.string != nil else { return value }
      return .string(Self.replacing(name, in: text))
    }
  }

  /// Replaces an id by a placeholder if it is a separate word.
  private static func replacing(_ name: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: name) {
      let before = range.lowerBound > rest.startIndex ? rest[rest.index(before: range.lowerBound)] : result.last
      let after = range.upperBound < rest.endIndex ? rest[range.upperBound] : nil
      let isWord = [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
      result += rest[..<range.lowerBound]
      result += isWord ? "{{id}}" : name
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
