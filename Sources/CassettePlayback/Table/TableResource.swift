internal import CassetteHTTP
internal import Cassettes

/// A resource of a cassette as an entry of a table.
package struct TableResource: Sendable {
  /// The number of its entry in the table; the index does not find this entry.
  package let entry: Int
  /// The position in cursors.
  let position: Int
  let definition: any CompiledResource
  let cassette: String
  /// The origin of its paths, in canonical form.
  let origin: String?
  /// The origin as it is written in the cassette.
  let home: String?
  /// The initial state in every session.
  let initial: any ResourceElements

  init(entry: Int, position: Int, _ definition: any CompiledResource, of cassette: Cassette) {
    (self.entry, self.position) = (entry, position)
    self.definition = definition
    self.cassette = cassette.name
    home = cassette.origin
    origin = home.map { RecordedTarget.canonicalOrigin($0) }
    initial = definition.initial
  }

  /// The entry that represents the resource in the table.
  var tableEntry: RecordingTable.Entry { played(.get, definition.paths[0], HTTPResponse(status: 200)) }

  /// Returns an answer of the resource in the form of a recording, so that links, ranges and conditions apply to it.
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
  /// Returns true if an entry is a resource.
  func isResource(_ entry: Int) -> Bool { resources.contains { $0.entry == entry } }

  /// Returns the first resource that owns a request's path.
  func resource(for request: HTTPRequest, knowsOrigins: Bool) -> TableResource? {
    guard !resources.isEmpty else { return nil }
    return resources.first { $0.owns(request, knowsOrigins: knowsOrigins) }
  }
}
