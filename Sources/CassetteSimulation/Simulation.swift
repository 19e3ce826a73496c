internal import CassetteFiles
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteRecording
internal import CassetteResources
package import CassetteSecrets
package import Cassettes

/// Resources that behave as a recorded server did: paths, names, members and their types, statuses, refusals.
///
/// The cassette is meant to be read and changed by a person: it says what was seen, and no more.
package struct Simulation: Sendable {
  /// A summary of one resource that was found.
  package struct Found: Sendable {
    package let path: String
    /// The operations that the resource allows: `list`, `create`.
    package let operations: [String]
    package let elements: Int
    /// The number of exchanges that the resource replaces.
    package let exchanges: Int
  }

  /// The cassette: the resources, and what belongs to none of them as it was recorded.
  package let cassette: Cassette
  package let found: [Found]

  /// Looks for collections in a recording.
  ///
  /// - Parameters:
  ///   - recording: A recording; of several origins only its own is looked at.
  ///   - name: The name of the new cassette.
  ///   - redaction: The secrets that are taken out before: the elements of a resource are what was answered.
  /// - Throws: What of a resource cannot be written; that there is none is no error.
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
      // What a collection below another has is its own.
      let own = collection.exchanges.map(\.number).filter { covered.insert($0).inserted }
      var operations: [String] = []
      if case .object(let members)? = definition["operations"] {
        operations = members.map { String(decoding: $0.name, as: UTF8.self) }
      }
      found.append(Found(path: path, operations: operations, elements: count, exchanges: own.count))
    }
    var cassette = Cassette(name: name, origin: recording.origin)
    cassette.matching = recording.matching
    cassette.match = recording.match
    cassette.interactions = recording.interactions.enumerated().filter { !covered.contains($0.offset) }.map(\.element)
    cassette.resources = try Self.read(definitions)
    self.cassette = cassette
    self.found = found
  }

  /// The definitions as a cassette's file has them, through its reader: there is one.
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

  /// Returns the operations that were seen, and those that only read, which are always allowed.
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
