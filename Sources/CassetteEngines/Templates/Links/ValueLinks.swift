internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// The names that templates generate and later recordings use.
struct ValueLinks: Sendable {
  /// A recording that generates names, and the recorded name in later recordings.
  private struct Link {
    let source: Int
    /// The path of the recorded `POST`, in its canonical spelling.
    let collection: String
    let recorded: String
  }

  private var all: [Link] = []
  /// The numbers of the recordings that generate or contain one of the names.
  private var holders: Set<Int> = []

  /// Finds the names that recorded `POST` requests with templates generate, and the recordings that contain them.
  ///
  /// Fails if no recording contains such a name.
  init?(_ entries: [TemplateEntry], templates sources: Set<Int>, created: (Interaction) -> String?) {
    for source in sources.sorted() where entries.indices.contains(source) {
      let post = entries[source]
      guard post.interaction.method == .post else { continue }
      func name(_ number: Int) -> String? {
        guard entries[number].home == post.home, entries[number].path.hasPrefix(post.path + "/") else { return nil }
        let step = entries[number].path.dropFirst(post.path.utf8.count + 1).prefix { $0 != "/" }
        // A segment without digits is assumed to belong to the API; the name of an element contains a digit.
        return step.contains(where: \.isNumber) ? String(step) : nil
      }
      var known = Set((0..<source).compactMap(name))
      known.formUnion(all.lazy.filter { $0.collection == post.path }.map(\.recorded))
      for entry in entries where entry.home == post.home && entry.path == post.path {
        if entry.interaction.method == .post, let other = created(entry.interaction) { known.insert(other) }
      }
      guard let found = (source + 1..<entries.count).lazy.compactMap(name).first(where: { !known.contains($0) }) else {
        continue
      }
      all.append(Link(source: source, collection: post.path, recorded: found))
      holders.insert(source)
      for number in source + 1..<entries.count where entries[number].home == post.home {
        let body = (try? entries[number].interaction.response?.body?.bytes()) ?? []
        if name(number) == found || String(decoding: body, as: UTF8.self).contains(found) { holders.insert(number) }
      }
    }
    if all.isEmpty { return nil }
  }

  /// Returns true if a recording generates or contains one of the names.
  func concerns(_ entry: Int) -> Bool { holders.contains(entry) }

  /// Returns the link for a name that a recording generated; nil if the recording generates no names.
  func generated(_ name: String, by entry: Int) -> GeneratedName? {
    all.first { $0.source == entry }
      .map { GeneratedName(collection: $0.collection, recorded: $0.recorded, name: name) }
  }

  /// Returns true if a recording generates names.
  func generates(_ entry: Int) -> Bool { all.contains { $0.source == entry } }

  /// Returns the request with the recorded name in place of the generated one; nil if it does not contain the generated
  /// name.
  func recorded(_ request: HTTPRequest, from name: GeneratedName) -> HTTPRequest? {
    let change = NameChange(from: name.name, to: name.recorded)
    var recorded = request
    let text = request.target.text
    let cut = text.firstIndex(of: "?") ?? text.endIndex
    let query = text[cut...]
    var target = change.path(String(text[..<cut]), below: name.collection)
    if !query.isEmpty {
      target +=
        "?"
        + query.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map(change.item)
        .joined(separator: "&")
    }
    if target != text, let target = HTTPTarget(target) { recorded.target = target }
    if let body = change.content(request.body) { recorded.body = body }
    return recorded == request ? nil : recorded
  }
}

extension TemplateEntry {
  /// The cassette and the origin, within which names are linked.
  fileprivate var home: String { "\(cassette) \(origin ?? "")" }
}

/// The counters and generated names of one session.
final class SessionNames: TemplateMemory {
  /// The maximum number of counters, because clients may use any names.
  private static let capacity = 10_000

  private let numbers = Locked<[String: Int]>([:])
  private let handedOut = Locked<[GeneratedName]>([])

  /// The names that templates generated, the newest last.
  var names: [GeneratedName] { handedOut.withLock { $0 } }

  /// Stores a generated name; beyond 1,000 names the oldest are dropped.
  func handOut(_ name: GeneratedName) {
    handedOut.withLock { names in
      names.removeAll { $0 == name }
      names.append(name)
      if names.count > 1_000 { names.removeFirst(names.count - 1_000) }
    }
  }

  /// Returns the next number of a counter, or the first; nil if there are too many counters.
  func next(_ name: String, from start: Int, by step: Int) -> Int? {
    numbers.withLock { numbers in
      guard let last = numbers[name] else {
        guard numbers.count < Self.capacity else { return nil }
        numbers[name] = start
        return start
      }
      let number = last &+ step
      numbers[name] = number
      return number
    }
  }
}

/// Replaces the name of an element by another in the places that contain names: paths, members for names, and URLs.
struct NameChange: Sendable {
  private let old: String
  private let new: String
  /// True if the name is long enough to be replaced wherever it occurs alone.
  private let isLong: Bool

  /// Creates a replacement of one name by another.
  init(from old: String, to new: String) {
    (self.old, self.new) = (old, new)
    isLong = old.utf8.count >= 8
  }

  /// Returns a path with the segment directly below a collection replaced; a long name is replaced in every segment.
  func path(_ path: String, below collection: String) -> String {
    let above = collection.split(separator: "/").count
    var number = -1
    return path.split(separator: "/", omittingEmptySubsequences: false).map { step -> String in
      if !step.isEmpty { number += 1 }
      let isPlace = number == above && CanonicalTarget.spelling(of: path).hasPrefix(collection + "/")
      return (isPlace || isLong) && PercentEncoding.decodeText(step.utf8) == old ? escaped : String(step)
    }.joined(separator: "/")
  }

  private var escaped: String { PercentEncoding.encode(new) }

  /// Returns an item of a query with the name replaced.
  func item(_ item: Substring) -> String {
    guard let equals = item.firstIndex(of: "=") else { return String(item) }
    let name = PercentEncoding.decodeText(item[..<equals].utf8)
    guard isLong || Self.isNaming(name), PercentEncoding.decodeText(item[item.index(after: equals)...].utf8) == old
    else { return String(item) }
    return "\(item[...equals])\(escaped)"
  }

  /// Returns true if a member contains names: `id`, `order_id`, `orderId`.
  private static func isNaming(_ member: String) -> Bool {
    ["id", "_id", "uuid", "key", "name"].contains(member) || member.hasSuffix("_id") || member.hasSuffix("Id")
      || member.hasSuffix("ID")
  }

  /// Returns a field's value with the name replaced; in a URL only path segments are replaced.
  func field(_ value: String) -> String { String(decoding: within(Array(value.utf8)), as: UTF8.self) }

  /// Returns JSON or text content with the name replaced; nil if nothing changes.
  func content(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.firstIndex(of: Array(old.utf8), from: 0) != nil else { return nil }
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    let isJSON = JSONScalars.each(in: bytes) { path, range in
      if let changed = scalar(bytes[range], path.lastName ?? "") { found.append((range, changed)) }
    }
    let changed = isJSON ? bytes.replacing(found) : within(bytes)
    return changed == bytes ? nil : changed
  }

  /// Returns a replaced string or number; nil if the token does not contain the name.
  private func scalar(_ token: ArraySlice<UInt8>, _ member: String) -> [UInt8]? {
    guard token.first == UInt8(ascii: "\"") else {
      guard String(decoding: token, as: UTF8.self) == old, isLong || Self.isNaming(member) else { return nil }
      let digits = Array(new.utf8)
      return JSONNumber(digits[...]) != nil && JSONValue(digits) != nil ? digits : JSONString.encode(new)
    }
    let text = JSONTree.text(ofString: token)
    if text == Array(old.utf8) { return isLong || Self.isNaming(member) ? JSONString.encode(new) : nil }
    let changed = within(text)
    return changed == text ? nil : JSONString.encode(String(decoding: changed, as: UTF8.self))
  }

  /// Returns text with the name replaced where it occurs alone; a short name only as a path segment.
  private func within(_ text: [UInt8]) -> [UInt8] {
    let wanted = Array(old.utf8)
    var places: [(range: Range<Int>, bytes: [UInt8])] = []
    var at = 0
    while let found = text.firstIndex(of: wanted, from: at) {
      at = found + wanted.count
      let before = found > 0 ? text[found - 1] : nil
      let after = at < text.count ? text[at] : nil
      let isAlone = !Self.isOfWord(before) && !Self.isOfWord(after)
      let isStep = before == UInt8(ascii: "/") && (after == nil || [0x2f, 0x3f, 0x23, 0x3e, 0x22].contains(after))
      if isAlone && isLong || isStep { places.append((found..<at, Array(new.utf8))) }
    }
    return text.replacing(places)
  }

  private static func isOfWord(_ byte: UInt8?) -> Bool { byte.map(word.contains) ?? false }

  private static let word = ByteSet.word.adding("-_")
}
