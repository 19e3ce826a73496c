internal import CassetteHTTP
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
