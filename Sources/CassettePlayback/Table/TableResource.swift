internal import CassetteHTTP
package import Cassettes

/// A resource of a cassette among what can be played.
package struct TableResource: Sendable {
  /// The number of its entry among the recordings; no request finds it there.
  package let entry: Int
  /// The position in cursors.
  let position: Int
  package let definition: any CompiledResource
  let cassette: String
  /// The origin that its paths belong to, as two of them are compared.
  let origin: String?
  /// The origin as it is written.
  let home: String?
  /// The state that every session begins with.
  let initial: any ResourceElements

  init(entry: Int, position: Int, _ definition: any CompiledResource, of cassette: Cassette) {
    (self.entry, self.position) = (entry, position)
    self.definition = definition
    self.cassette = cassette.name
    home = cassette.origin
    origin = home.map { RecordedTarget.canonicalOrigin($0) }
    initial = definition.initial
  }

  /// The entry that stands for the resource among the recordings.
  var tableEntry: RecordingTable.Entry { played(.get, definition.paths[0], HTTPResponse(status: 200)) }

  /// An answer of the resource, as if it were a recording: links, parts and conditions follow from it as from any.
  func played(_ method: HTTPMethod, _ url: String, _ response: HTTPResponse) -> RecordingTable.Entry {
    let body = response.body.isEmpty ? nil : Body.storing(response.body)
    let interaction = Interaction(
      id: definition.paths[0], method: method, url: url,
      outcome: .response(RecordedResponse(status: response.status, headers: response.headers, body: body)))
    return RecordingTable.Entry(
      interaction: interaction, cassette: cassette, origin: origin, isFixture: true, position: position)
  }

  /// Returns true if a request is addressed to this resource; origins are compared only if `knowsOrigins` is true.
  func owns(_ request: HTTPRequest, knowsOrigins: Bool) -> Bool {
    if knowsOrigins, let named = request.namedOrigin, let origin, named != origin { return false }
    guard request.target.form == .origin || request.target.form == .absolute else { return false }
    return definition.methods(at: request.target.path) != nil
  }

  /// Returns the scheme and authority of the URLs of elements.
  func base(for request: HTTPRequest) -> String {
    home ?? request.namedOrigin ?? request.headers["Host"].map { "http://\($0)" } ?? ""
  }
}

extension RecordingTable {
  /// Tells whether an entry is a resource.
  package func isResource(_ entry: Int) -> Bool { resources.contains { $0.entry == entry } }

  /// The first resource that has a path.
  func resource(for request: HTTPRequest, knowsOrigins: Bool) -> TableResource? {
    guard !resources.isEmpty else { return nil }
    return resources.first { $0.owns(request, knowsOrigins: knowsOrigins) }
  }
}
