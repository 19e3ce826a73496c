internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The state of resources, for who steers a player.
extension Deck {
  /// The paths of every resource, the first of each where its elements say they are.
  package var resourcePaths: [[String]] { table.resources.map(\.definition.paths) }

  /// Counts the elements that a session has of a resource; 0 when there is none at the path.
  package func countOfElements(ofResource path: String, session: String = "") -> Int {
    contents(ofResource: path, session)?.count ?? 0
  }

  private func contents(ofResource path: String, _ session: String) -> (any ResourceElements)? {
    state.withLock { state in
      guard let resource = state.table.resources.first(where: { $0.definition.paths.contains(path) }) else {
        return nil
      }
      return state.cursors.peek(session).resources[resource.entry]?.state ?? resource.initial
    }
  }

  /// The elements of a resource as a session sees them.
  ///
  /// - Parameters:
  ///   - path: One of the paths of the collection.
  ///   - session: The session's name; the empty one is everybody's who names none.
  /// - Returns: A JSON array; nil when there is no such resource.
  package func elements(ofResource path: String, session: String = "") -> [UInt8]? {
    contents(ofResource: path, session)?.json
  }

  /// Puts elements in the place of those that a session has.
  ///
  /// - Parameters:
  ///   - path: One of the paths of the collection.
  ///   - json: A JSON array of objects, each with a name of its own.
  ///   - session: The session's name.
  /// - Returns: Whether there is such a resource, and room for them.
  /// - Throws: What is wrong with the elements.
  package func replaceElements(
    ofResource path: String, with json: [UInt8], session: String = ""
  ) throws(EngineError) -> Bool {
    let table = table
    guard let resource = table.resources.first(where: { $0.definition.paths.contains(path) }) else { return false }
    let new = try resource.definition.elements(json)
    return state.withLock { state in
      guard state.table === table else { return false }
      let version = state.cursors.withCursor(of: session) { $0.resources[resource.entry]?.version }
      return state.cursors.keep(new, of: resource.entry, in: session, unlessChangedSince: version) == .kept
    }
  }
}

/// Resources: what a session has changed is taken out of the deck, worked on without a lock, and put back.
extension Deck {
  /// Asks a resource for the answer to a request, in the state that a session has brought it to.
  ///
  /// - Returns: The answer as a recording of it would be; nil when other cassettes were loaded meanwhile.
  func operate(
    _ resource: TableResource, _ request: HTTPRequest, _ table: RecordingTable, _ session: String
  ) -> RecordingTable.Entry? {
    let (now, base) = (Timestamp.now(), resource.base(for: request))
    let method: HTTPMethod = request.method == .head ? .get : request.method
    while true {
      let before = state.withLock { state -> ResourceCopy?? in
        guard state.table === table else { return nil }
        return .some(state.cursors.withCursor(of: session) { $0.resources[resource.entry] })
      }
      guard let before else { return nil }
      var after = before?.state ?? resource.initial
      guard var response = resource.definition.answer(request, base: base, now: now, &after) else { return nil }
      // A look changes nothing.
      if method != .get {
        let kept = state.withLock { state -> SessionCursors.Keeping? in
          guard state.table === table else { return nil }
          return state.cursors.keep(after, of: resource.entry, in: session, unlessChangedSince: before?.version)
        }
        switch kept {
        case nil: return nil
        case .changed?: continue
        case .full?: response = resource.definition.refusalOfFull(request, base: base) ?? response
        case .kept?: break
        }
      }
      return resource.played(method, request.pathAndQuery, response)
    }
  }
}
