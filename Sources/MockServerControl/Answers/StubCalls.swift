internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The calls for stubs: interactions that are added while the server runs.
struct StubCalls {
  let api: ControlAPI
  private var server: any ControlledServer { api.server }

  /// The name of the cassette that is reported for stubs.
  static let cassette = "/__mock/interactions"
  /// The members of a stub in addition to those of a cassette's interactions.
  private static let ownMembers: Set<String> = ["keep", "session"]
  /// The members of a stub in responses to `GET`.
  ///
  /// Of these, `PUT` uses only `keep`, `session` and `interaction`.
  private static let shownMembers = [
    "id", "cassette", "stub", "session", "keep", "method", "url", "status", "failure", "plays", "firstPlayedBy",
    "interaction",
  ]

  /// Lists all stubs, recordings and fixtures with their plays and with a session's position in their order.
  func listInteractions(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    return api.later {
      let table = server.deck.table
      let (changes, plays, turns) = (table.changesAwaited, plays(), RecordingTurns(server.deck, session))
      return ControlResponse.json { json in
        json.array("interactions") { list in
          for (stub, first) in server.deck.stubs { list.object { describe(stub, first, plays, &$0) } }
          for (number, entry) in table.entries.enumerated() {
            list.object { item in
              describe(entry, table.firstPlayed(number), plays, &item)
              if let change = changes[number] { item.member("after", table.entries[change].interaction.id) }
              guard let turn = turns[number] else { return }
              item.object("position") { position in
                position.member("turn", turn.place)
                position.member("of", turn.count)
                position.member("plays", turns.taken(by: number))
                position.member("isNext", turn.isNext)
              }
            }
          }
        }
      }
    }
  }

  /// Returns the number of plays of each recording and stub.
  private func plays() -> Plays { server.memory.plays(countedBy: server.journals, of: server.table) }

  private typealias Plays = [ControlMemory.PlayedName: Int]

  private func describe(_ stub: AddedStub, _ first: UInt64?, _ plays: Plays, _ item: inout JSONWriter) {
    item.member("id", stub.id)
    item.member("cassette", stub.cassette)
    item.member("stub", true)
    item.member("session", stub.session)
    item.member("keep", stub.isKept)
    describe(stub.interaction, first, plays[.stub(stub.id)], &item)
  }

  private func describe(_ entry: RecordingTable.Entry, _ first: UInt64?, _ plays: Plays, _ item: inout JSONWriter) {
    item.member("id", entry.interaction.shownID)
    item.member("cassette", entry.cassette)
    item.member("place", entry.interaction.place.map { "\($0.file):\($0.line)" })
    item.member("origin", entry.origin)
    describe(entry.interaction, first, plays[.init(cassette: entry.cassette, id: entry.interaction.id)], &item)
  }

  private func describe(_ interaction: Interaction, _ first: UInt64?, _ plays: Int?, _ item: inout JSONWriter) {
    item.member("method", interaction.method.rawValue)
    item.member("url", SecretNames.masked(url: interaction.url))
    if let status = interaction.status { item.member("status", status) }
    item.member("failure", interaction.failure?.name)
    item.member("plays", plays ?? 0)
    if let first { item.member("firstPlayedBy", Int(clamping: first)) }
  }

  /// Shows a stub or recording with its request and response in the format of a cassette.
  func showInteraction(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let id = call.parameters["id"] ?? ""
    let stub = server.deck.stubs.first { $0.stub.id == id }
    let table = server.deck.table
    let number = table.entries.firstIndex { $0.interaction.id == id || $0.interaction.shownID == id }
    guard let interaction = stub?.stub.interaction ?? number.map({ table.entries[$0].interaction }) else {
      throw unknown(id)
    }
    let (written, plays) = (try api.written(interaction), plays())
    return .json { json in
      if let stub {
        describe(stub.stub, stub.playedFirst, plays, &json)
      } else if let number {
        describe(table.entries[number], table.firstPlayed(number), plays, &json)
      }
      json.member("interaction", json: written)
    }
  }

  private func unknown(_ id: String) -> ControlRefusal {
    let ids = server.deck.stubs.map(\.stub.id)
    return ControlRefusal(404, "there is no stub \"\(id)\"\(ControlCall.hint(id, ids))")
  }

  /// Adds stubs.
  ///
  /// Several stubs for the same request are played one after the other.
  func addInteractions(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    // Counts the plays of a removed stub with the same id now, so that they can be forgotten below.
    _ = plays()
    var (stubs, warnings, named) = try stubs(of: call)
    var isAdded = false
    while !isAdded {
      do throws(AddedStub.Refusal) {
        try server.deck.add(stubs)
        isAdded = true
      } catch {
        switch error {
        case .taken(let id) where named.contains(id):
          throw ControlRefusal(409, "a stub \"\(id)\" already exists: replace it with PUT /__mock/interactions/\(id)")
        // Another event loop added a stub of the chosen name in the meantime.
        case .taken: (stubs, warnings, named) = try self.stubs(of: call)
        case .tooMany:
          throw ControlRefusal(
            409, "the limit of 10000 stubs is reached: delete unused stubs with DELETE /__mock/interactions/ID")
        }
      }
    }
    server.memory.forgetPlays(ofStubs: stubs.map(\.id))
    var response = ControlResponse.json(status: 201) { json in
      json.member("ids", stubs.map(\.id))
      if !warnings.isEmpty { json.member("warnings", warnings) }
    }
    if stubs.count == 1, let id = stubs.first?.id {
      response.headers.append("Location", "/__mock/interactions/\(PercentEncoding.encode(id))")
    }
    return .response(response)
  }

  /// Replaces a stub.
  func replaceInteraction(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let id = call.parameters["id"] ?? ""
    let (stubs, warnings, _) = try stubs(of: call, id: id)
    guard stubs.count == 1, let stub = stubs.first else { throw ControlRefusal(400, "send one interaction") }
    if !server.deck.replace(stub) { throw unknown(id) }
    return .json { json in
      json.member("ids", [id])
      if !warnings.isEmpty { json.member("warnings", warnings) }
    }
  }

  /// Removes a stub.
  func removeInteraction(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let id = call.parameters["id"] ?? ""
    guard server.deck.removeStubs(where: { $0.id == id }) > 0 else { throw unknown(id) }
    return .json { $0.member("removed", 1) }
  }

  /// Removes all stubs, or those of a session.
  func removeInteractions(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session
    let count = server.deck.removeStubs { session == nil || $0.session == session }
    return .json { $0.member("removed", count) }
  }

  /// Reads the stubs of a call and chooses names for those without an id.
  ///
  /// - `call`: The call; its body is an interaction or an array of them.
  /// - `id`: The id of the stub to replace; nil if stubs are added.
  private func stubs(
    of call: ControlCall, id: String? = nil
  ) throws(ControlRefusal) -> (stubs: [AddedStub], warnings: [String], named: Set<String>) {
    let tree = try ControlBody.tree(call.body.bytes)
    // In responses to `GET`, the interaction is a member of the stub.
    let shown = id == nil ? nil : tree.root["interaction"]
    let around = shown == nil ? nil : try ControlBody(tree, tree.root, Self.shownMembers)
    if let id { try around?.require("id", id) }
    let root = shown ?? tree.root
    let nodes: [JSONTree.Node]
    if case .array(let elements) = root.kind { nodes = elements } else { nodes = [root] }
    let cassette = try InteractionText.read(tree.bytes, root, without: Self.ownMembers)
    guard !cassette.interactions.isEmpty else {
      throw ControlRefusal(400, "send an interaction in the format of a cassette")
    }
    var taken: Set<String> = []
    var named: Set<String> = []
    var stubs: [AddedStub] = []
    for (node, interaction) in zip(nodes, cassette.interactions) {
      guard case .object(let members) = node.kind else { continue }
      let names = members.map { String(decoding: $0.name, as: UTF8.self) }
      let body = if let around { around } else { try ControlBody(tree, node, Array(Set(names))) }
      var name = id ?? interaction.id
      if id == nil, !names.contains("id") {
        name = server.deck.freeStubName(for: name, besides: taken)
      } else {
        named.insert(name)
      }
      taken.insert(name)
      let session = try body.string("session") ?? call["session"] ?? call.request.headers["X-Mock-Session"]
      var own = interaction
      // The line number refers to the body of this call, which is not kept.
      own.place = nil
      stubs.append(
        AddedStub(
          id: name, session: session == "" ? nil : session, isKept: try body.flag("keep") ?? false, own,
          cassette: Self.cassette))
    }
    return (stubs, cassette.warnings.map(InteractionText.words), named)
  }

  /// Appends stubs to a cassette in the served folder.
  func saveInteractions(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard let name = try call.body.string("cassette"), !name.isEmpty else {
      throw ControlRefusal(400, "\"cassette\" is missing: the name of the cassette to write, without .json")
    }
    let path = try api.path(ofCassette: name)
    let one = call.parameters["id"]
    let wanted = if let one { [one] } else { try call.body.strings("ids") }
    let stubs = server.deck.stubs.map(\.stub)
    for id in wanted ?? [] where !stubs.contains(where: { $0.id == id }) { throw unknown(id) }
    // The newest stub is written last, because in a file earlier recordings do not hide later ones.
    let chosen = stubs.filter { wanted?.contains($0.id) ?? true }.map(\.interaction)
    guard !chosen.isEmpty else { throw ControlRefusal(409, "there are no stubs to save") }
    var ids: [String] = []
    do throws(CassetteError) {
      let before = try EditableCassette(reading: path)
      var edited = before
      for interaction in chosen {
        if let saved = try Self.saved(interaction, in: before.cassette) {
          ids.append(saved.id)
          continue
        }
        try Self.refuseSecrets(of: interaction, in: path)
        var added = interaction
        let known = Set(edited.cassette.interactions.map(\.id))
        if added.id.isEmpty || known.contains(added.id) { added.id = AcceptedExchange.id(of: added, besides: known) }
        edited = try EditableCassette(path: path, try edited.adding(added).after)
        ids.append(added.id)
      }
      if let after = edited.bytes, after != before.bytes {
        try CassetteEdit(path: path, before: before.bytes, after: after, interaction: ids.last ?? "").write()
      }
    } catch {
      throw ControlRefusal(409, "\(error)")
    }
    return .json { json in
      json.member("cassette", path)
      json.member("ids", ids)
    }
  }

  /// Returns the saved recording of a stub, which is equal except for its id; nil if the stub was not saved before.
  private static func saved(_ stub: Interaction, in cassette: Cassette) throws(CassetteError) -> Interaction? {
    func text(_ interaction: Interaction) throws(CassetteError) -> [UInt8] {
      var interaction = interaction
      interaction.id = "stub"
      return try CassetteFile.bytes(of: Cassette(name: "one", interactions: [interaction]))
    }
    let wanted = try text(stub)
    for other in cassette.interactions where other.method == stub.method && other.url == stub.url {
      if try text(other) == wanted { return other }
    }
    return nil
  }

  /// Throws an error if a scan for secrets would report the interaction.
  private static func refuseSecrets(of interaction: Interaction, in path: String) throws(CassetteError) {
    var cassette = Cassette(name: CassetteFile.name(ofFile: path), interactions: [interaction])
    cassette.file = path
    let scanner = SecretScanner()
    try scanner.check(cassette)
    var found: String?
    try interaction.eachTextWithRules { part in
      if found == nil { found = scanner.findings(in: part.bytes, part.context).first?.what }
    }
    guard let found else { return }
    throw CassetteError(
      file: path, message: "\(interaction.shown) was not saved: its \(found) is not redacted",
      suggestion: "replace the secret in the stub by {{secret:1}}")
  }
}

/// Generates a stub in Swift source for a test, from a request and its response.
enum StubSource {
  private static let named: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]

  /// Returns the source of a stub.
  ///
  /// - `request`: The request. Its response is ignored.
  /// - `answer`: The recorded response; nil if no recording was played.
  /// - `status`: The status that was sent, which the stub gets if no recording was played.
  static func text(_ request: Interaction, _ answer: RecordedResponse?, status: Int) throws(CassetteError) -> String {
    let url = SwiftLiteral.quoted(request.url)
    let method = request.method
    let shown =
      named.contains(method)
      ? ".\(method.rawValue.lowercased())(\(url))" : ".method(\(SwiftLiteral.quoted(method.rawValue)), \(url))"
    let code = answer?.status.code ?? (status == 404 || status == 0 ? 200 : status)
    let body = try answer?.body?.bytes() ?? []
    guard !body.isEmpty else { return ".stub(\(shown), .status(\(code)))" }
    guard body.count <= AcceptedExchange.longestBody else {
      throw CassetteError(
        file: request.url, message: "a body of \(body.count) bytes is too long for a stub in source code")
    }
    let type = answer?.headers["Content-Type"].map { ", type: \(SwiftLiteral.quoted($0))" } ?? ""
    if let text = String(validUTF8: body) {
      return ".stub(\(shown), .text(\(SwiftLiteral.quoted(text))\(type), status: \(code)))"
    }
    let data = "Data(base64Encoded: \"\(BodyBase64.text(of: body))\") ?? Data()"
    return ".stub(\(shown), .data(\(data)\(type), status: \(code)))"
  }
}

/// The order in which a session plays the recordings of the same request.
struct RecordingTurns {
  /// The position of a recording among those of the same request.
  struct Turn {
    /// The position in the order, counted from 1.
    let place: Int
    /// The number of recordings of the request.
    let count: Int
    /// True if the session's next request plays this recording.
    let isNext: Bool
  }

  private var turns: [Int: Turn] = [:]
  private let taken: [Int: Int]

  /// Determines the order of recordings, except recordings without alternatives for their request.
  init(_ deck: Deck, _ session: String) {
    let table = deck.table
    taken = deck.turnsTaken(in: session)
    for (number, entry) in table.entries.enumerated() where !entry.isFixture && turns[number] == nil {
      guard let request = Self.request(of: entry, knowsOrigins: deck.knowsOrigins),
        !Self.answersAlone(number, table, request)
      else { continue }
      let (all, next) = deck.turns(at: request, in: session)
      guard all.contains(number) else { continue }
      for (index, other) in all.enumerated() {
        turns[other] = Turn(place: index + 1, count: all.count, isNext: other == next)
      }
    }
  }

  /// The turn of a recording; nil if it is the only choice for its request.
  subscript(number: Int) -> Turn? { turns[number] }

  /// Returns the number of times that the session has played a recording.
  func taken(by number: Int) -> Int { taken[number] ?? 0 }

  private static func answersAlone(_ number: Int, _ table: RecordingTable, _ request: HTTPRequest) -> Bool {
    [true, false].contains { isKnown in
      table.sole(
        request.method.rawValue, request.target.text, hasBody: !request.body.isEmpty, hasCredentials: { isKnown })
        == number
    }
  }

  /// Returns the request of a recording; nil if its body is in a file, or its target is invalid.
  private static func request(of entry: RecordingTable.Entry, knowsOrigins: Bool) -> HTTPRequest? {
    let recorded = entry.interaction
    if case .file? = recorded.requestBody?.form { return nil }
    let origin = knowsOrigins ? entry.origin ?? "" : ""
    guard let target = HTTPTarget(origin + recorded.pathAndQuery), let body = try? recorded.requestBody?.bytes() ?? []
    else { return nil }
    return HTTPRequest(method: recorded.method, target: target, headers: recorded.requestHeaders, body: body)
  }
}
