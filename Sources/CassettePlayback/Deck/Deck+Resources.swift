internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// Access to the state of resources, for the control interface of a player.
extension Deck {
  /// The paths of every resource; the first path of each is the one that its elements name.
  package var resourcePaths: [[String]] { table.resources.map(\.definition.paths) }

  /// Returns the number of elements of a resource in a session; 0 if no resource has the path.
  package func countOfElements(ofResource path: String, session: String = "") -> Int {
    contents(ofResource: path, session)?.count ?? 0
  }

  private func contents(ofResource path: String, _ session: String) -> (any ResourceElements)? {
    state.withLock { state in
      guard let resource = state.table.resources.first(where: { $0.definition.paths.contains(path) }) else {
        return nil
      }
      return state.cursors.peek(session).resources[resource.position] ?? resource.initial
    }
  }

  /// Returns the elements of a resource in a session.
  ///
  /// - `session`: The session's name; empty for requests that name none.
  package func elements(ofResource path: String, session: String = "") -> [UInt8]? {
    contents(ofResource: path, session)?.json
  }

  /// Replaces the elements of a resource in a session.
  ///
  /// Returns false if no resource has the path, or the elements exceed the memory limit.
  package func replaceElements(
    ofResource path: String, with json: [UInt8], session: String = ""
  ) throws(EngineError) -> Bool {
    guard let resource = table.resources.first(where: { $0.definition.paths.contains(path) }) else { return false }
    let new = try resource.definition.elements(json)
    return operating.withLock { _ in
      state.withLock { $0.cursors.keep(new, of: resource.position, in: session) }
    }
  }

  /// Returns the answer of a resource to a request, in the session's state of the resource.
  ///
  /// Requests that change resources run one after the other; `GET` and `HEAD` requests run concurrently.
  func operate(_ resource: TableResource, _ request: HTTPRequest, _ session: String) -> RecordingTable.Entry? {
    let (now, base) = (Timestamp.now(), resource.base(for: request))
    let method: HTTPMethod = request.method == .head ? .get : request.method
    let answer = { (keeps: Bool) -> HTTPResponse? in
      var elements = self.state.withLock { state in
        state.cursors.withCursor(of: session) { $0.resources[resource.position] } ?? resource.initial
      }
      guard let response = resource.definition.answer(request, base: base, now: now, &elements) else { return nil }
      guard keeps, !self.state.withLock({ $0.cursors.keep(elements, of: resource.position, in: session) }) else {
        return response
      }
      return resource.definition.refusalOfFull(request, base: base) ?? response
    }
    let response = method == .get ? answer(false) : operating.withLock { _ in answer(true) }
    return response.map { resource.played(method, request.pathAndQuery, $0) }
  }
}
