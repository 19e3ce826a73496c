internal import CassetteEngines
internal import CassetteHTTP

/// The members of a collection's elements and their types, derived from recorded exchanges.
struct ElementShape {
  let collection: ObservedCollection
  /// The elements in successful create and replace requests.
  private let accepted: [EditableJSON]
  private let made: [(sent: EditableJSON, answered: EditableJSON)]
  private let elements: [EditableJSON]

  init(_ collection: ObservedCollection) {
    self.collection = collection
    let creations = collection.successes(.create)
    made = creations.compactMap { exchange in
      guard let sent = exchange.sent, let answered = exchange.answered, sent.isObject, answered.isObject else {
        return nil
      }
      return (sent, answered)
    }
    accepted = (creations + collection.successes(.replace)).compactMap(\.sent).filter(\.isObject)
    var elements = made.map(\.answered)
    for operation in [ResourceDefinition.Operation.read, .replace, .patch] {
      elements += collection.successes(operation).compactMap(\.answered).filter(\.isObject)
    }
    for list in collection.successes(.list) {
      elements += list.answered.flatMap(ObservedCollection.list)?.elements ?? []
    }
    self.elements = elements
  }

  /// The members that the server adds to elements.
  var added: (defaults: [EditableJSON.Member], created: [EditableJSON.Member], changed: [EditableJSON.Member]) {
    var (defaults, created, changed): ([EditableJSON.Member], [EditableJSON.Member], [EditableJSON.Member]) =
      ([], [], [])
    let patched = collection.successes(.patch).compactMap(\.sent)
    for name in ObservedCollection.names(of: made.map(\.answered)) where name != collection.id {
      let bytes = Array(name.utf8)
      if name == collection.link {
        created.append(EditableJSON.Member(bytes, .string("{{url}}")))
        continue
      }
      let values = made.filter { $0.sent[name] == nil }.compactMap { $0.answered[name] }
      guard let value = values.first else { continue }
      if let text = value.string, Self.isTime(text) {
        let member = EditableJSON.Member(bytes, .string("{{now}}"))
        if changesLater(name) { changed.append(member) } else { created.append(member) }
      } else if (accepted + patched).contains(where: { $0[name] != nil }) || value.isNull {
        defaults.append(EditableJSON.Member(bytes, value))
      } else if values.allSatisfy({ $0.saysTheSame(as: value) }) {
        // Clients never send this member, so the server assigns it.
        let isPlain = value.scalar.map { ["true", "false", "0"].contains($0) } ?? false
        if isPlain { defaults.append(.init(bytes, value)) } else { created.append(.init(bytes, value)) }
      }
    }
    return (defaults, created, changed)
  }

  /// Returns true if a change of an element also changed a member, or if its name suggests that.
  private func changesLater(_ name: String) -> Bool {
    if ["update", "modif", "chang"].contains(where: { name.lowercased().contains($0) }) { return true }
    let later = (collection.successes(.patch) + collection.successes(.replace)).compactMap(\.answered)
    return later.contains { changed in
      made.contains {
        $0.answered[collection.id]?.scalar == changed[collection.id]?.scalar
          && $0.answered[name].map { !$0.saysTheSame(as: changed[name] ?? .null) } ?? false
      }
    }
  }

  /// Returns true for a string that resembles a time such as `2026-11-22T12:00:00Z`.
  private static func isTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count >= 19 && bytes[10] == UInt8(ascii: "T") && ISOTime(bytes[...])?.hasSeconds == true
  }

  // MARK: Schema

  /// The members that are required: they are in all accepted elements, and elements without one of them were refused.
  var required: [String] {
    guard let first = accepted.first, case .object(let members) = first else { return [] }
    let always = members.map { String(decoding: $0.name, as: UTF8.self) }
      .filter { name in accepted.allSatisfy { $0[name]?.isNull == false } }
    let refused = (collection.exchanges(.create) + collection.exchanges(.replace)).filter(\.isInvalid)
      .compactMap(\.sent)
    return always.filter { name in refused.contains { $0[name] == nil || $0[name]?.isNull == true } }
  }

  /// A JSON Schema for elements in requests, with the observed types and the required members.
  var schema: EditableJSON? {
    guard !accepted.isEmpty else { return nil }
    var properties = EditableJSON.object([])
    let sent = accepted + collection.successes(.patch).compactMap(\.sent).filter(\.isObject)
    for name in ObservedCollection.names(of: sent) {
      let values = (sent + elements).compactMap { $0[name] }
      let types = Set(values.map(Self.type))
      var names = types.contains("number") ? types.subtracting(["integer"]).sorted() : types.sorted()
      // A member that can be null may be absent at first, or removed later.
      if names.count > 1, names.contains("null") { names = names.filter { $0 != "null" } + ["null"] }
      let type: EditableJSON = names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
      properties[name] = .object([.init(Array("type".utf8), type)])
    }
    var schema = EditableJSON.object([.init(Array("type".utf8), .string("object"))])
    let required = required
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    schema["properties"] = properties
    return schema
  }

  private static func type(of value: EditableJSON) -> String {
    switch value {
    case .object: return "object"
    case .array: return "array"
    case .scalar(let token):
      switch token.first {
      case UInt8(ascii: "\""): return "string"
      case UInt8(ascii: "n"): return "null"
      case UInt8(ascii: "t"), UInt8(ascii: "f"): return "boolean"
      default: return token.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ? "integer" : "number"
      }
    }
  }

  // MARK: Seed

  /// The elements that existed before the recording, in the state in which they first occur.
  var seed: [EditableJSON] {
    var known: Set<String> = []
    var seed: [EditableJSON] = []
    for exchange in collection.exchanges where exchange.isSuccess {
      let isOfCollection = exchange.path == collection.path
      if exchange.method == .get {
        let list = isOfCollection ? exchange.answered.flatMap(ObservedCollection.list)?.elements : nil
        for element in list ?? (isOfCollection ? [] : [exchange.answered].compactMap(\.self)) where element.isObject {
          guard let name = collection.name(of: element) ?? (isOfCollection ? nil : exchange.step?.name),
            known.insert(name).inserted
          else { continue }
          seed.append(named(element, name))
        }
      } else if isOfCollection, exchange.method == .delete {
        // Elements in later responses may have been created after the collection was cleared.
        return seed
      } else if isOfCollection, let element = exchange.answered {
        let said = exchange.location.flatMap { ObservedExchange.name(in: $0, below: collection.path) }
        if let name = collection.name(of: element) ?? said { known.insert(name) }
      } else if let name = exchange.step?.name {
        // The state of the element before its change is unknown.
        known.insert(name)
      }
    }
    return seed
  }

  /// Returns an element with its id, which may only be known from its URL.
  private func named(_ element: EditableJSON, _ name: String) -> EditableJSON {
    guard element[collection.id]?.scalar == nil, case .object(let members) = element else { return element }
    let id: EditableJSON = Int(name).map { .number($0) } ?? .string(name)
    return .object([.init(Array(collection.id.utf8), id)] + members.filter { $0.name != Array(collection.id.utf8) })
  }
}

/// The pages, filters and order of a collection's list, derived from recorded exchanges.
struct ListShape {
  private static let pages = ["page", "_page", "p"]
  private static let sizes = ["per_page", "perPage", "page_size", "pageSize", "limit", "_limit", "size"]
  private static let sorts = ["sort", "_sort", "order_by", "orderBy", "ordering"]
  /// The placeholders for members around the elements, by their usual names.
  private static let meanings: [String: String] = [
    "page": "page", "current_page": "page", "currentPage": "page", "per_page": "size", "perPage": "size",
    "page_size": "size", "pageSize": "size", "limit": "size", "total": "total", "count": "total",
    "total_count": "total", "totalCount": "total", "total_pages": "pages", "totalPages": "pages", "pages": "pages",
    "next": "next", "previous": "previous", "prev": "previous",
  ]

  let collection: ObservedCollection

  /// The `list` member of a resource; nil if the list is a plain array of all elements.
  var definition: EditableJSON? {
    let lists = collection.successes(.list)
    var definition = EditableJSON.object([])
    let names = ObservedCollection.names(
      of: lists.flatMap { $0.answered.flatMap(ObservedCollection.list)?.elements ?? [] })
    let asked = Set(lists.flatMap(\.query).map(\.name))
    let page = Self.pages.first { asked.contains($0) }
    let size = Self.sizes.first { asked.contains($0) }
    if page != nil || size != nil || hasNext(lists) {
      definition["page"] = .string(page ?? "page")
      if let size { definition["size"] = .string(size) }
      let plain = lists.filter { list in !list.query.contains { $0.name == size } }
      let longest =
        (plain.isEmpty ? lists : plain).compactMap { $0.answered.flatMap(ObservedCollection.list) }
        .map(\.elements.count).max() ?? 0
      definition["perPage"] = .number(min(max(1, longest), 1_000))
    }
    let filters = names.filter { asked.contains($0) && $0 != page && $0 != size }
    if !filters.isEmpty { definition["filter"] = .array(filters.map { .string($0) }) }
    if let sort = Self.sorts.first(where: { asked.contains($0) && !names.contains($0) }) {
      definition["sort"] = .string(sort)
    }
    if let envelope = envelope(lists) { definition["envelope"] = envelope }
    if case .object(let members) = definition, members.isEmpty { return nil }
    return definition
  }

  private func hasNext(_ lists: [ObservedExchange]) -> Bool {
    lists.contains { list in
      guard let answer = list.answered else { return false }
      return answer["next"]?.string != nil
    }
  }

  private func envelope(_ lists: [ObservedExchange]) -> EditableJSON? {
    for list in lists {
      guard let answer = list.answered, case .object(let members) = answer,
        let found = ObservedCollection.list(answer)?.member
      else { continue }
      return .object(
        members.map { member in
          if member.name == found { return .init(member.name, .string("{{items}}")) }
          let meaning = Self.meanings[String(decoding: member.name, as: UTF8.self)]
          return .init(member.name, meaning.map { EditableJSON.string("{{\($0)}}") } ?? member.value)
        })
    }
    return nil
  }
}
