package import CassetteHTTP
internal import CassetteJSON
package import Cassettes

/// The link between a `POST` that generates a new name at each call, and the recorded name in later recordings.
package struct ValueLink: Hashable, Sendable {
  /// The number of the recording that generates names.
  package let source: Int
  /// The path of the recorded `POST`, in its canonical spelling.
  package let collection: String
  /// The name that later recordings contain below that path.
  package let recorded: String
}

/// The names that templates generate and later recordings use.
package struct ValueLinks: Sendable {
  /// The properties of a recording that are needed to find links.
  package struct Entry {
    let interaction: Interaction
    /// The cassette and the origin of the recording.
    let home: String
    let path: String

    /// Creates an entry for a recording; the path is in its canonical spelling, without a trailing slash.
    package init(_ interaction: Interaction, home: String, path: String) {
      (self.interaction, self.home, self.path) = (interaction, home, path)
    }
  }

  package private(set) var all: [ValueLink] = []
  /// The numbers of the recordings that generate or contain one of the names.
  private var holders: Set<Int> = []

  /// Finds the names that recorded `POST` requests with templates generate, and the recordings that contain them.
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
      all.append(ValueLink(source: source, collection: post.path, recorded: found))
      holders.insert(source)
      for number in source + 1..<entries.count where entries[number].home == post.home {
        let body = (try? entries[number].interaction.response?.body?.bytes()) ?? []
        if name(number) == found || String(decoding: body, as: UTF8.self).contains(found) { holders.insert(number) }
      }
    }
  }

  /// True if there are no links.
  package var isEmpty: Bool { all.isEmpty }

  /// Returns true if a recording generates or contains one of the names.
  package func concerns(_ entry: Int) -> Bool { holders.contains(entry) }
}

/// A name that a template generated in a session.
package struct HandedOutName: Hashable, Sendable {
  package let link: ValueLink
  package let name: String

  /// Creates a generated name for a link.
  package init(_ link: ValueLink, _ name: String) { (self.link, self.name) = (link, name) }

  /// Returns the request with the recorded name in place of the generated one; nil if it does not contain the generated
  /// name.
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

  /// The change that replaces the recorded name in an answer by the generated name.
  package var answered: NameChange { NameChange(from: link.recorded, to: name) }
}
