import CassetteHTTP
import CassetteSystem
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Stubs that are added one at a time are kept in several tables, which answer like a single table.
@Suite struct AddedStubTests {
  private func stub(_ line: String, _ id: String, match: String? = nil, session: String? = nil) throws -> AddedStub {
    let interaction =
      try match.map { try Interaction.ruled(line, id: id, match: $0) } ?? Exchange.recorded(line, id: id)
    return AddedStub(id: id, session: session, interaction, cassette: "stubs")
  }

  /// The number of stubs in each table that all sessions share, the oldest table first.
  private func sizes(_ deck: Deck) -> [Int] { deck.tables(for: "").dropLast().map(\.entries.count) }

  @Test(arguments: [1, 3, 7]) func `each table of stubs has at least twice as many entries as the next`(
    ofOneCall count: Int
  ) throws {
    let deck = Exchange.deck([])
    for call in 0..<500 { try deck.add((0..<count).map { try stub("GET /\(call)/\($0)", "\(call)-\($0)") }) }
    let sizes = sizes(deck)
    #expect(sizes.reduce(0, +) == 500 * count && sizes.count <= 10)
    for (size, next) in zip(sizes, sizes.dropFirst()) { #expect(size >= 2 * next, "\(sizes)") }
    for call in 0..<500 { #expect(try deck.id(for: Exchange.request("GET /\(call)/0")) == "\(call)-0") }
  }

  @Test func `priority is compared among the stubs of all tables`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a", id: "recorded")])
    try deck.add([stub("GET /x", "first", match: #""path": "/{any}", "priority": 1"#)])
    for number in 0..<5 { try deck.add([stub("GET /a", "\(number)")]) }
    try deck.add([stub("GET /a", "last", match: #""priority": -1"#)])
    #expect(sizes(deck).count > 1)
    #expect(try deck.id(for: Exchange.request("GET /a")) == "first")
    deck.removeStubs { $0.id == "first" }
    #expect(try deck.id(for: Exchange.request("GET /a")) == "4")
    deck.removeStubs { $0.id != "last" }
    #expect(try deck.id(for: Exchange.request("GET /a")) == "last")
    deck.removeStubs { _ in true }
    #expect(try deck.id(for: Exchange.request("GET /a")) == "recorded" && !deck.hasStubs)
  }

  @Test func `OPTIONS lists the methods of all tables, and HEAD uses a stub for GET only without one for HEAD`() throws
  {
    let deck = Exchange.deck([])
    try deck.add([stub("HEAD /a", "head"), stub("PUT /a", "put"), stub("GET /b", "other")])
    try deck.add([stub("GET /a", "get")])
    #expect(sizes(deck) == [3, 1])
    guard case .made(let response, _, _) = deck.plan(try Exchange.request("OPTIONS /a")) else {
      throw Deck.Unanswered()
    }
    #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS, PUT")
    #expect(try deck.id(for: Exchange.request("HEAD /a")) == "head")
    #expect(try deck.id(for: Exchange.request("HEAD /b")) == "other")
  }

  @Test func `a stub's body is compared although other stubs of the request differ in the same value`() throws {
    let deck = Exchange.deck([])
    for number in 1...3 {
      let body = #"{"name": "\#(number)"}"#
      try deck.add([
        AddedStub(
          id: "\(number)", Exchange.recorded("POST /a", id: "\(number)", sent: body, content: "ok"), cassette: "stubs")
      ])
    }
    #expect(try deck.id(for: Exchange.request("POST /a", body: #"{"name": "1"}"#)) == "1")
    #expect(try deck.id(for: Exchange.request("POST /a", body: #"{"name": "4"}"#)) == "miss")
  }

  @Test func `random additions, replacements and removals leave the same stubs as a plain list`() throws {
    var random = Seeded(11)
    let deck = Exchange.deck([])
    // The calls, each with its stubs: name, path and session.
    var calls: [[(id: String, path: String, session: String?)]] = []
    var next = 0
    func added(_ id: String) throws -> (id: String, path: String, session: String?) {
      (id, "/\(Int.random(in: 0..<6, using: &random))", [nil, nil, "her"].randomElement(using: &random) ?? nil)
    }
    for step in 0..<120 {
      let ids = calls.joined().map(\.id)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        var call: [(id: String, path: String, session: String?)] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          next += 1
          call.append(try added("\(next)"))
        }
        try deck.add(call.map { try stub("GET \($0.path)", $0.id, session: $0.session) })
        calls.append(call)
      case 6..<8:
        guard let id = ids.randomElement(using: &random) else { continue }
        let new = try added(id)
        #expect(deck.replace(try stub("GET \(new.path)", id, session: new.session)))
        for call in calls.indices {
          if let index = calls[call].firstIndex(where: { $0.id == id }) { calls[call][index] = new }
        }
      default:
        let gone = Set(ids.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        #expect(deck.removeStubs { gone.contains($0.id) } == gone.count)
        for call in calls.indices { calls[call].removeAll { gone.contains($0.id) } }
      }
      #expect(deck.stubCount == calls.joined().count && Set(deck.stubs.map(\.stub.id)) == Set(calls.joined().map(\.id)))
      for session in ["", "her", "his"] {
        for path in 0..<6 {
          deck.reset()
          let own = calls.map { $0.filter { $0.path == "/\(path)" && $0.session != nil && $0.session == session } }
          let all = calls.map { $0.filter { $0.path == "/\(path)" && $0.session == nil } }
          let newest = own.last { !$0.isEmpty } ?? all.last { !$0.isEmpty } ?? []
          let request = try Exchange.request("GET /\(path)")
          let answers = Set(
            (0..<newest.count).compactMap { _ in deck.plan(request, session: session).playback?.recording.interaction.id
            })
          #expect(answers == Set(newest.map(\.id)), "step \(step), \(session), \(path)")
        }
      }
    }
  }

  @Test func `a stub name in use gets the next free number`() throws {
    let deck = Exchange.deck([])
    for number in 1...100 {
      let name = deck.freeStubName(for: "a", besides: [])
      #expect(name == (number == 1 ? "a" : "a-\(number)"))
      try deck.add([stub("GET /a", name)])
    }
    #expect(deck.freeStubName(for: "b", besides: ["b", "b-2"]) == "b-3")
  }
}
