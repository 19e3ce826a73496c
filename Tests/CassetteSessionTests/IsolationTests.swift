import CassetteHTTP
import Cassettes
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Sessions side by side` {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  @Test func `three hundred at once never hear each other's answers`() async throws {
    let url = url
    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<300 {
        group.addTask {
          let player = CassettePlayer([
            Cassette(name: "\(number)", interactions: [.made(.get, "/user", body: "\(number)")])
          ])
          let session = player.session()
          var wrong = 0
          for _ in 0..<10 {
            let (data, _) = try await session.data(from: url)
            if String(decoding: data, as: UTF8.self) != "\(number)" { wrong += 1 }
          }
          player.end()
          return wrong
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func `classes of sessions that are gone serve again`() {
    let classes = SessionProtocolClasses()
    let player = CassettePlayer()
    for _ in 0..<400 {
      let type = classes.take(for: player)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.play(on: type)
      classes.lend(type, to: URLSession(configuration: configuration))
    }
    #expect(classes.count <= 4)
  }

  @Test func `no class is used again where a copied configuration may still name it`() {
    let classes = SessionProtocolClasses(for: .apple)
    let player = CassettePlayer()
    for _ in 0..<100 {
      let type = classes.take(for: player)
      classes.lend(type, to: URLSession(configuration: .ephemeral))
    }
    #expect(classes.count == 100)
  }

  @Test func `a class knows its configuration where a task does not reveal its session`() throws {
    let classes = SessionProtocolClasses(for: .apple)
    let (first, second) = (CassettePlayer(), CassettePlayer())
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["Authorization": "first"]
    let lent = classes.take(for: first)
    classes.lend(lent, to: URLSession(configuration: configuration))
    let given = classes.take(for: second)
    let changed = URLSessionConfiguration.ephemeral
    classes.give(given, to: changed)
    changed.httpAdditionalHeaders = ["Authorization": "second"]
    for (type, value) in [(lent, "first"), (given, "second")] {
      let route = try #require(classes.route(of: type, task: 1, from: { nil }))
      #expect(route.configuration?.httpAdditionalHeaders?["Authorization"] as? String == value)
    }
    classes.close([given], of: second, SessionProtocolClasses.Closing(reason: "ended", late: nil))
    #expect(classes.route(of: given, task: 1, from: { nil })?.configuration == nil)
  }

  @Test func `the class of a session that is in use serves nobody else`() {
    let classes = SessionProtocolClasses()
    let player = CassettePlayer()
    let sessions = (0..<100).map { _ in
      let type = classes.take(for: player)
      let session = URLSession(configuration: .ephemeral)
      classes.lend(type, to: session)
      return session
    }
    #expect(classes.count == sessions.count)
  }

  @Test func `the end of one player does not close a class that serves another by now`() throws {
    let classes = SessionProtocolClasses()
    let (first, second) = (CassettePlayer(name: "first"), CassettePlayer(name: "second"))
    let type = classes.take(for: first)
    classes.lend(type, to: URLSession(configuration: .ephemeral))
    let again = classes.take(for: second)
    try #require(again == type)
    classes.close([type], of: first, SessionProtocolClasses.Closing(reason: "ended", late: nil))
    guard case .player(let player)? = classes.route(of: type, task: nil, from: { nil })?.destination else {
      Issue.record("the class was closed")
      return
    }
    #expect(player === second)
  }

  @Test func `a session that was used gives its class back`() async throws {
    var classes: Set<ObjectIdentifier> = []
    let total = 400
    for number in 0..<total {
      let player = CassettePlayer([Cassette(name: "classes", interactions: [.made(.get, "/user", body: "\(number)")])])
      let session = player.session()
      let (data, _) = try await session.data(from: url)
      #expect(String(decoding: data, as: UTF8.self) == "\(number)")
      classes.formUnion((session.configuration.protocolClasses ?? []).map { ObjectIdentifier($0) })
      player.end()
    }
    // How many depends on what other tests have lent meanwhile.
    #expect(classes.count < total)
  }

  @Test func `two sessions of one player share its deck`() async throws {
    let player = CassettePlayer([
      Cassette(name: "shared", interactions: [.made(.get, "/user", body: "1"), .made(.get, "/user", body: "2")])
    ])
    let first = try await player.session().data(from: url).0
    let second = try await player.session().data(from: url).0
    #expect([first, second].map { String(decoding: $0, as: UTF8.self) } == ["1", "2"])
  }
}
