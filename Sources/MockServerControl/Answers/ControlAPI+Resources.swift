internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import Cassettes

/// The calls for the elements of resources, which each session has a copy of.
extension ControlAPI {
  /// Lists the served resources.
  func listResources(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    return .json { json in
      json.array("resources", of: server.deck.resourcePaths) { paths, item in
        item.member("path", paths[0])
        if paths.count > 1 { item.member("alsoAt", paths.dropFirst()) }
        item.member("elements", server.deck.countOfElements(ofResource: paths[0], session: session))
      }
    }
  }

  /// Shows a resource with its elements.
  func showResource(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer { try shown(call, hidden: nil) }

  /// Returns the elements of a resource, and a warning if a recording is played instead of the resource.
  private func shown(_ call: ControlCall, hidden by: String?) throws(ControlRefusal) -> ControlAnswer {
    let (path, session) = (path(of: call), try call.session ?? "")
    guard let elements = server.deck.elements(ofResource: path, session: session) else { throw unknown(path) }
    return .json { json in
      json.member("path", path)
      if let by {
        json.member("warnings", ["a recording of GET \(path) takes precedence over the resource: \(by)"])
      }
      json.member("elements", json: elements)
    }
  }

  /// Replaces the elements of a resource in a session.
  func replaceResource(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (path, session) = (path(of: call), try call.session ?? "")
    try call.body.require("path", path)
    guard let node = call.body.node("elements") else {
      throw ControlRefusal(400, "\"elements\" is missing: send a JSON array of objects")
    }
    let isKept: Bool
    do throws(EngineError) {
      isKept = try server.deck.replaceElements(
        ofResource: path, with: Array(call.body.bytes[node.range]), session: session)
    } catch {
      throw ControlRefusal(422, error.message)
    }
    guard isKept else {
      guard server.deck.elements(ofResource: path, session: session) != nil else { throw unknown(path) }
      throw ControlRefusal(
        409, "the files were reloaded, or the sessions have too many elements in total; send the call again")
    }
    return try shown(call, hidden: recording(before: path))
  }

  /// Returns the location of the recording that is played instead of a resource; nil if the resource is used.
  private func recording(before path: String) -> String? {
    let entry = server.deck.table.entries.first { entry in
      // The table also contains the interaction of the resource itself.
      entry.interaction.method == .get && entry.interaction.pathAndQuery == path
        && (!entry.isFixture || entry.cassette == "fixtures")
    }
    return entry.map { $0.interaction.place.map { "\($0.file):\($0.line)" } ?? $0.interaction.shownID }
  }

  private func path(of call: ControlCall) -> String {
    let path = "/" + (call.parameters["path"] ?? "")
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private func unknown(_ path: String) -> ControlRefusal {
    let hint = ControlCall.hint(path, server.deck.resourcePaths.flatMap(\.self).sorted())
    return ControlRefusal(404, "no cassette has a resource at \(path)\(hint)")
  }
}
