internal import CassetteHTTP
package import CassetteResources
internal import Cassettes

/// A resource of a cassette among what can be played.
package struct TableResource: Sendable {
  /// The number of its entry among the recordings; no request finds it there.
  package let entry: Int
  package let definition: ResourceDefinition
  let cassette: String
  /// The origin that its paths belong to, as two of them are compared.
  let origin: String?
  /// The origin as it is written.
  let home: String?
  /// The state that every session begins with.
  let initial: ResourceState

  init(entry: Int, _ definition: ResourceDefinition, of cassette: Cassette) {
    self.entry = entry
    self.definition = definition
    self.cassette = cassette.name
    home = cassette.origin
    origin = home.map { RecordedTarget.canonicalOrigin($0) }
    initial = ResourceState(definition)
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
      interaction: interaction, cassette: cassette, origin: origin, isFixture: true, position: entry)
  }

  /// The request as the resource takes it; nil when it is another's.
  func request(_ request: HTTPRequest, knowsOrigins: Bool, now: String) -> ResourceRequest? {
    let named = request.namedOrigin
    if knowsOrigins, let named, let origin, named != origin { return nil }
    let base = home ?? named ?? request.headers["Host"].map { "http://\($0)" } ?? ""
    return ResourceRequest(request, to: definition, base: base, now: now)
  }
}

extension RecordingTable {
  /// Tells whether an entry is a resource.
  package func isResource(_ entry: Int) -> Bool { resources.contains { $0.entry == entry } }

  /// The first resource that has a path.
  func resource(for request: HTTPRequest, knowsOrigins: Bool) -> TableResource? {
    guard !resources.isEmpty else { return nil }
    return resources.first { $0.request(request, knowsOrigins: knowsOrigins, now: "") != nil }
  }
}
