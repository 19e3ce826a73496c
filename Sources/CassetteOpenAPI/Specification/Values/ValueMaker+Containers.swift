internal import CassetteEngines
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Generates objects and arrays.
extension ValueMaker {
  /// The maximum number of elements or members.
  private static let mostParts = 10_000

  /// The number of attempts to generate an element that differs from all previous ones.
  private static let retries = 24

  /// The attempt from which alternatives of a `oneOf` are excluded by additional members.
  private static let spoiled = 7

  /// Returns true for attempts that generate only required members.
  private static func isThin(_ attempt: Int) -> Bool { attempt >= 2 && attempt % 2 == 0 }

  mutating func object(_ view: SchemaView, path: String, attempt: Int, ordinal: Int, depth: Int) -> [UInt8]? {
    guard view.minProperties <= Self.mostParts else { return nil }
    var names = self.names(view, isThin: Self.isThin(attempt), depth)
    var members: [[UInt8]] = []
    var written: Set<String> = []
    func member(_ name: String, _ value: [UInt8]) -> [UInt8] { JSONString.encode(name) + [UInt8(ascii: ":")] + value }
    for (name, isRequired) in names where written.insert(name).inserted {
      let below = "\(path)/\(SchemaPointer.escaped(name))"
      if let said = view.discriminators[name], attempts[below] == nil {
        members.append(member(name, JSONString.encode(said)))
        continue
      }
      guard let value = value(places(of: name, view), path: below, ordinal: ordinal, depth: depth + 1) else {
        if isRequired { return nil }
        continue
      }
      members.append(member(name, value))
    }
    // If the value may match several alternatives, a member is added that all but one reject.
    if attempt >= Self.spoiled {
      for other in view.others {
        let view = SchemaView([other], nodes)
        schemasLeft -= view.count
        let spoiler = view.properties.first { property in
          guard schemasLeft > 0, !written.contains(property.name) else { return false }
          let value = SchemaView(property.places, nodes)
          schemasLeft -= value.count
          return value.types?.contains("null") == false
        }
        if let spoiler, written.insert(spoiler.name).inserted {
          members.append(member(spoiler.name, Array("null".utf8)))
        }
      }
    }
    // For an object without named members, one entry is generated as an example.
    let isTable = view.properties.isEmpty && !(view.additional.isEmpty && view.patternProperties.isEmpty)
    var wanted = view.minProperties
    // An object that has to differ from other elements needs at least one member.
    if ordinal > 0, members.isEmpty, view.maxProperties != 0 { wanted = max(wanted, 1) }
    if isTable, members.isEmpty, !Self.isThin(attempt), view.maxProperties != 0,
      !leavesOut(view.additional + view.patternProperties.map(\.place), depth)
    {
      wanted = max(wanted, 1)
    }
    var number = 0
    while members.count < wanted, number < wanted * 4 + 64 {
      number += 1
      guard let name = extraName(view, number, path, written), written.insert(name).inserted else { continue }
      names.append((name, true))
      let below = "\(path)/\(SchemaPointer.escaped(name))"
      guard let value = value(places(of: name, view), path: below, ordinal: ordinal + number - 1, depth: depth + 1)
      else { break }
      members.append(member(name, value))
    }
    guard members.count >= view.minProperties else { return nil }
    return Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  /// Returns the names of the members to generate, and whether each is required.
  private mutating func names(_ view: SchemaView, isThin: Bool, _ depth: Int) -> [(String, isRequired: Bool)] {
    var required = Set(view.required)
    var names: [(String, isRequired: Bool)] = []
    var pending = view.required
    // A dependent member may require further members.
    while let name = pending.popLast() {
      for other in view.dependencies[name] ?? [] where required.insert(other).inserted { pending.append(other) }
    }
    for (name, places) in view.properties {
      if !required.contains(name), !view.propertyNames.isEmpty, !isName(name, view) { continue }
      // A `writeOnly` member is generated only if the schema requires it (OpenAPI 3.0 §4.7.24.2).
      if !required.contains(name), isWriteOnly(places) { continue }
      if required.contains(name) {
        names.append((name, true))
      } else if !isThin, !view.excluded.contains(name), !leavesOut(places, depth) {
        names.append((name, false))
      }
    }
    if !isThin {
      for (name, _) in names {
        for other in view.dependencies[name] ?? [] where required.insert(other).inserted {
          if !names.contains(where: { $0.0 == other }) { names.append((other, true)) }
        }
      }
    }
    let known = Set(view.properties.map(\.name))
    names += required.subtracting(known).sorted().filter { name in !names.contains { $0.0 == name } }.map { ($0, true) }
    if let most = view.maxProperties {
      while names.count > most, let last = names.lastIndex(where: { !$0.isRequired }) { names.remove(at: last) }
    }
    return names
  }

  private mutating func isWriteOnly(_ places: [SchemaView.Place]) -> Bool {
    let view = SchemaView(places, nodes)
    schemasLeft -= view.count
    return view.isWriteOnly
  }

  private func places(of name: String, _ view: SchemaView) -> [SchemaView.Place] {
    var places = view.places(of: name)
    for (pattern, place) in view.patternProperties {
      let compiled = try? TextPattern(pattern, in: .ecmaScript, ofPart: true)
      if compiled?.matches(name) ?? false { places.append(place) }
    }
    return places.isEmpty ? view.additional : places
  }

  /// Returns a name for an additional member, a different one for each number; nil if none is found.
  private mutating func extraName(
    _ view: SchemaView, _ number: Int, _ path: String, _ written: Set<String>
  ) -> String? {
    var random = random(path, number)
    var names: [String] = []
    let patterns = view.patternProperties.map(\.pattern)
    if !view.propertyNames.isEmpty {
      // Names are generated from a pattern first, because values of `propertyNames` rarely match the pattern by chance.
      let own = SchemaView(view.propertyNames, nodes, attempt: number - 1)
      schemasLeft -= own.count
      let length = own.minLength...max(own.minLength, own.maxLength ?? 64)
      for pattern in patterns {
        let both = ([pattern] + own.patterns).compactMap { try? TextPattern($0, in: .ecmaScript, ofPart: true) }
        if let name = text(of: both, length, number - 1, nil, &random) { names.append(name) }
      }
      attempts["\(path)/?\(number)"] = number - 1
      if let name = value(view.propertyNames, path: "\(path)/?\(number)", ordinal: number - 1, depth: 1) {
        names.append(String(decoding: JSONTree.text(ofString: name[...]), as: UTF8.self))
      }
    } else {
      if view.additional.isEmpty {
        for pattern in patterns {
          guard let compiled = try? TextPattern(pattern, in: .ecmaScript, ofPart: true) else { continue }
          if let name = text(of: [compiled], 0...64, number - 1, nil, &random) { names.append(name) }
        }
      }
      if !view.isClosed || !view.additional.isEmpty { names.append("key\(number == 1 ? "" : "\(number)")") }
    }
    // Optional members that the object does not have.
    names += view.properties.map(\.name).filter { !view.excluded.contains($0) }
    return names.first { !written.contains($0) && isName($0, view) }
  }

  /// Returns true if a member may have a name.
  private func isName(_ name: String, _ view: SchemaView) -> Bool {
    guard !view.excluded.contains(name) else { return false }
    if view.isClosed, view.additional.isEmpty, places(of: name, view).isEmpty { return false }
    guard let tree = JSONTree(JSONString.encode(name)) else { return false }
    return view.propertyNames.allSatisfy { isMet($0, by: tree) }
  }

  /// Returns true if a value is valid against a schema of the document.
  private func isMet(_ place: SchemaView.Place, by tree: JSONTree) -> Bool {
    guard let schema = try? schemas.schema(at: place.pointer) else { return false }
    var budget = MatchingBudget()
    return schema.violations(of: tree, limit: 1, &budget)?.isEmpty ?? false
  }

  // MARK: Arrays

  mutating func array(_ view: SchemaView, path: String, attempt: Int, ordinal: Int, depth: Int) -> [UInt8]? {
    let contained = view.contains.reduce(0) { $0 + $1.least }
    let least = max(view.minItems, contained)
    guard least <= Self.mostParts, least <= view.maxItems ?? .max else { return nil }
    var count = max(least, view.prefix.count)
    if !Self.isThin(attempt), !view.items.isEmpty, !leavesOut(view.items, depth) {
      var random = random(path, attempt)
      count = max(count, isRandom ? 1 + random.below(3) : 1)
    }
    // An array that has to differ from other elements needs at least one element.
    if ordinal > 0 { count = max(count, 1) }
    if view.isItemsClosed, view.items.isEmpty { count = min(count, view.prefix.count) }
    count = min(count, view.maxItems ?? .max)
    var demands = view.contains.flatMap { Array(repeating: $0.place, count: $0.least) }
    var elements: [[UInt8]] = []
    for index in 0..<count {
      var places = index < view.prefix.count ? view.prefix[index] : view.items
      let isFree = index < count - demands.count
      if isFree {
        for demand in view.contains where demand.most != nil {
          places.append(SchemaView.Place(node: demand.place.node, pointer: demand.place.pointer, isExcluded: true))
        }
      } else if let demand = demands.popLast() {
        places.append(demand)
      }
      let ordinal = ordinal + (view.isUnique ? index : 0)
      let below = "\(path)/\(index)"
      var element = value(places, path: below, ordinal: ordinal, depth: depth + 1)
      // Random elements may be equal by chance.
      for _ in 0..<Self.retries {
        guard let made = element,
          view.isUnique && elements.contains(made) || isFree && isDemanded(made, view)
        else { break }
        attempts[below, default: 0] += 1
        element = value(places, path: below, ordinal: ordinal, depth: depth + 1)
      }
      guard let element else {
        if index < least { return nil }
        break
      }
      // If there are not enough distinct values, the array has fewer elements.
      if view.isUnique, elements.contains(element) {
        if index < least { continue }
        break
      }
      elements.append(element)
    }
    guard elements.count >= view.minItems else { return nil }
    return Array("[".utf8) + elements.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  /// Returns true if an element counts towards `maxContains`.
  private func isDemanded(_ element: [UInt8], _ view: SchemaView) -> Bool {
    view.contains.contains { demand in
      guard demand.most != nil, let tree = JSONTree(element) else { return false }
      return isMet(demand.place, by: tree)
    }
  }
}
