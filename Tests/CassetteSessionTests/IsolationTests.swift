import CassetteHTTP
import Cassettes
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Isolation of sessions` {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  @Test func `each of three hundred concurrent sessions gets the answers of its own player`() async throws {
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

  @Test func `the protocol classes of released sessions are used again`() {
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

  @Test func `no protocol class is used again on Apple's loading system`() {
    let classes = SessionProtocolClasses(for: .apple)
    let player = CassettePlayer()
    for _ in 0..<100 {
      let type = classes.take(for: player)
      classes.lend(type, to: URLSession(configuration: .ephemeral))
    }
    #expect(classes.count == 100)
  }

  @Test func `a protocol class has its configuration if a task does not reveal its session`() throws {
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

  @Test func `the protocol class of a living session is not used again`() {
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

  @Test func `the end of a player does not close a class that another player uses now`() throws {
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

  @Test func `the protocol class of a used and released session is used again`() async throws {
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
    // The exact number depends on the classes that other tests use at the same time.
    #expect(classes.count < total)
  }

  @Test func `two sessions of one player play successive recordings`() async throws {
    let player = CassettePlayer([
      Cassette(name: "shared", interactions: [.made(.get, "/user", body: "1"), .made(.get, "/user", body: "2")])
    ])
    let first = try await player.session().data(from: url).0
    let second = try await player.session().data(from: url).0
    #expect([first, second].map { String(decoding: $0, as: UTF8.self) } == ["1", "2"])
  }
}
