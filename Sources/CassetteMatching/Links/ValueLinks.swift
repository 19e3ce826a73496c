package import CassetteHTTP
internal import CassetteJSON
package import Cassettes

/// A name that a recorded `POST` makes anew each time, and the one that stands in its place in later recordings.
package struct ValueLink: Hashable, Sendable {
  /// The number of the recording that gives names out.
  package let source: Int
  /// The path that it was sent to, in its canonical spelling.
  package let collection: String
  /// The name that later recordings have below that path.
  package let recorded: String
}

/// The names that templates make, as far as later recordings use them.
package struct ValueLinks: Sendable {
  /// A recording as far as it matters here.
  package struct Entry {
    let interaction: Interaction
    /// The cassette, and the origin in it.
    let home: String
    let path: String

    /// A recording, the path in its canonical spelling and without a slash at its end.
    package init(_ interaction: Interaction, home: String, path: String) {
      (self.interaction, self.home, self.path) = (interaction, home, path)
    }
  }

  package private(set) var all: [ValueLink] = []
  /// The recordings that hold one of the names.
  private var holders: Set<Int> = []

  /// Finds the names that answers of templates, or a recorded `POST`, give out, and the recordings that hold one.
  package init(
    _ entries: @autoclosure () -> [Entry], templates: some Sequence<Int>, created: (Interaction) -> String?
  ) {
    let sources = Set(templates)
    guard !sources.isEmpty else { return }
    let entries = entries()
    for source in sources.sorted() where entries.indices.contains(source) {
      let post = entries[source]
      guard post.interaction.method == .post else { continue }
      func name(_ number: Int) -> String? {
        guard entries[number].home == post.home, entries[number].path.hasPrefix(post.path + "/") else { return nil }
        let step = entries[number].path.dropFirst(post.path.utf8.count + 1).prefix { $0 != "/" }
        // A word is part of an API, a name of something made has a digit.
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
      all.append(ValueLink(source: source, collection: post.path, recorded: found))
      holders.insert(source)
      for number in source + 1..<entries.count where entries[number].home == post.home {
        let body = (try? entries[number].interaction.response?.body?.bytes()) ?? []
        if name(number) == found || String(decoding: body, as: UTF8.self).contains(found) { holders.insert(number) }
      }
    }
  }

  /// True when nothing is linked.
  package var isEmpty: Bool { all.isEmpty }

  /// Tells whether a recording gives a name out, or holds one.
  package func concerns(_ entry: Int) -> Bool { holders.contains(entry) }
}

/// A name that was given out in a session.
package struct HandedOutName: Hashable, Sendable {
  package let link: ValueLink
  package let name: String

  /// The name that a link's recording gave out.
  package init(_ link: ValueLink, _ name: String) { (self.link, self.name) = (link, name) }

  /// The request that was recorded, where one names what was given out; nil where it does not.
  package func recorded(_ request: HTTPRequest) -> HTTPRequest? {
    let change = NameChange(from: name, to: link.recorded)
    var recorded = request
    let text = request.target.text
    let cut = text.firstIndex(of: "?") ?? text.endIndex
    let query = text[cut...]
    var target = change.path(String(text[..<cut]), below: link.collection)
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

  /// The change that puts the name into an answer, in the place of the recorded name.
  package var answered: NameChange { NameChange(from: link.recorded, to: name) }
}
