internal import CassetteSystem
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A number represented as a type, by nesting its binary digits.
///
/// The class of a `URLProtocol` is the only reliable way to identify its session: properties and header fields of a
/// request are not available on every platform. Classes cannot be created at run time, but specializations of a generic
/// class can.
protocol ClassNumber {}

/// The most significant digit, which is a one.
enum LeadingOne: ClassNumber {}
/// A zero after other digits.
enum ZeroAfter<Rest: ClassNumber>: ClassNumber {}
/// A one after other digits.
enum OneAfter<Rest: ClassNumber>: ClassNumber {}

/// The protocol class of one session.
final class SessionProtocolClass<Number: ClassNumber>: CassetteURLProtocol {}

/// Hands out one class per session, and takes it back when the session is gone.
///
/// Classes are never freed. A class is reused only after its session and the configuration that contains it are gone;
/// otherwise a late request would be answered from another test's cassette. On Apple platforms a class is never reused,
/// because copies of the configuration may still contain it.
final class SessionProtocolClasses: Sendable {
  static let shared = SessionProtocolClasses()

  /// The destination of a class.
  enum Destination: Sendable {
    case player(CassettePlayer)
    /// Requests are refused for this reason, because the player has ended.
    case closed(Closing)
  }

  /// The reason why requests to a player are refused after its end.
  struct Closing: Sendable {
    let reason: String
    /// Called for each later request, with true if another test has sent it.
    let late: (@Sendable (_ message: String, _ isOfOtherTest: Bool) -> Void)?
    /// The test that owns the player.
    var owner: PlayingTest?
  }

  /// The destination and configuration of a request.
  struct Route {
    let destination: Destination
    let configuration: URLSessionConfiguration?
  }

  /// A class and not a struct, because copying a struct would copy every weak reference.
  private final class Use {
    var destination: Destination
    /// The player, even after it has ended.
    weak var player: CassettePlayer?
    /// The session for which the class was taken, and its configuration; nil for the class of a configuration.
    weak var session: URLSession?
    weak var configuration: URLSessionConfiguration?
    /// The cookie storage that the configuration and all its copies share.
    weak var jar: HTTPCookieStorage?
    /// The configuration that contains the class, if a task does not reveal its session.
    var given: URLSessionConfiguration?
    var isLent = false
    /// The highest number of a task that is known to belong to the session for which the class was taken.
    var highestTask: Int?

    init(_ player: CassettePlayer) {
      destination = .player(player)
      self.player = player
    }
  }

  private struct State: ~Copyable {
    var made = 0
    var free: [CassetteURLProtocol.Type] = []
    /// The classes of sessions created here, the oldest first.
    var lent: [CassetteURLProtocol.Type] = []
    var uses: [ObjectIdentifier: Use] = [:]
  }

  private let state = Locked(State())
  private let system: LoadingSystem

  init(for system: LoadingSystem = .current) { self.system = system }

  /// The number of classes that exist.
  var count: Int { state.withLock { $0.made } }

  /// Returns a class that is assigned to a player, a free one if possible.
  func take(for player: CassettePlayer) -> CassetteURLProtocol.Type {
    let type = state.withLock { state in
      Self.sweep(&state)
      return state.free.popLast() ?? Self.make(&state)
    }
    assign(type, to: player)
    return type
  }

  /// Assigns a player to a class.
  func assign(_ type: CassetteURLProtocol.Type, to player: CassettePlayer) {
    state.withLock { $0.uses[ObjectIdentifier(type)] = Use(player) }
  }

  /// Stores the configuration that contains a class; it replaces the session's if a task does not reveal its session.
  func give(_ type: CassetteURLProtocol.Type, to configuration: URLSessionConfiguration) {
    guard !system.revealsSessions else { return }
    state.withLock { $0.uses[ObjectIdentifier(type)]?.given = configuration }
  }

  /// Reclaims a class after its session is gone, on platforms that reveal the session of a task.
  func lend(_ type: CassetteURLProtocol.Type, to session: URLSession) {
    let configuration = session.configuration
    guard system.revealsSessions else { return give(type, to: configuration) }
    state.withLock { state in
      let use = state.uses[ObjectIdentifier(type)]
      use?.session = session
      use?.configuration = configuration
      use?.jar = configuration.httpCookieStorage
      use?.isLent = true
      state.lent.append(type)
    }
  }

  /// Returns the destination of a request by its class, with the configuration of its session.
  ///
  /// A session created elsewhere uses a copy of another session's configuration. Its lifetime is unknown, so the class
  /// is not reclaimed. Asking a task for its session takes longer than the deck, and is skipped if the number of the
  /// task is greater than all numbers of the class's own session: numbers of another session start over, and the class
  /// is not reclaimed anyway while a session with the same cookie storage exists.
  ///
  /// - `task`: The number of the task in its session.
  /// - `session`: Returns the session of the task.
  func route(of type: CassetteURLProtocol.Type, task: Int?, from session: () -> URLSession?) -> Route? {
    let id = ObjectIdentifier(type)
    let known: Route? = state.withLock { state in
      guard let use = state.uses[id], use.isLent, use.jar != nil, let configuration = use.configuration,
        let task, let highest = use.highestTask, task > highest
      else { return nil }
      use.highestTask = task
      return Route(destination: use.destination, configuration: configuration)
    }
    if let known { return known }
    let session = session()
    return state.withLock { state in
      guard let use = state.uses[id] else { return nil }
      if use.isLent, let session {
        if use.session === session {
          use.highestTask = max(use.highestTask ?? 0, task ?? 0)
        } else {
          use.isLent = false
        }
      }
      return Route(destination: use.destination, configuration: session?.configuration ?? use.given)
    }
  }

  /// Returns the player of a protocol class; nil for other classes, and if the player was deallocated.
  func player(of type: AnyClass) -> CassettePlayer? { state.withLock { $0.uses[ObjectIdentifier(type)]?.player } }

  /// Makes later requests of these classes fail with a reason, except for classes that are assigned to another player
  /// by now.
  func close(_ types: [CassetteURLProtocol.Type], of player: CassettePlayer, _ closing: Closing) {
    state.withLock { state in
      for type in types {
        guard let use = state.uses[ObjectIdentifier(type)], case .player(let current) = use.destination,
          current === player
        else { continue }
        use.destination = .closed(closing)
        use.given = nil
      }
    }
  }

  private static func sweep(_ state: inout State) {
    // A few classes at a time, to spread the cost over all tests.
    for _ in 0..<min(4, state.lent.count) {
      let type = state.lent.removeFirst()
      let id = ObjectIdentifier(type)
      guard let use = state.uses[id], use.isLent else { continue }
      if use.session == nil, use.configuration == nil, use.jar == nil {
        state.uses[id] = nil
        state.free.append(type)
      } else {
        state.lent.append(type)
      }
    }
  }

  private static func make(_ state: inout State) -> CassetteURLProtocol.Type {
    state.made += 1
    return extend(LeadingOne.self, state.made)
  }

  private static func extend<Number: ClassNumber>(_ digits: Number.Type, _ rest: Int) -> CassetteURLProtocol.Type {
    if rest <= 1 { return SessionProtocolClass<Number>.self }
    return rest & 1 == 0 ? extend(ZeroAfter<Number>.self, rest >> 1) : extend(OneAfter<Number>.self, rest >> 1)
  }
}
