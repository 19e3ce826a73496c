internal import CassetteSystem
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A number as a type: its binary digits, nested.
///
/// The class of a `URLProtocol` is all that tells it whose session it serves: fields and properties of a request do not
/// reach it on every platform. Classes cannot be made at run time, but instances of a generic one can.
protocol ClassNumber {}

/// The most significant digit, a one.
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
    /// Nothing answers any more, for this reason: the player's test is over.
    case closed(Closing)
  }

  /// The reason why nothing answers any more.
  struct Closing: Sendable {
    let reason: String
    /// A closure that is told of requests that come nevertheless, and whether another test has sent them.
    let late: (@Sendable (_ message: String, _ isOfOtherTest: Bool) -> Void)?
    /// The test of the player.
    var owner: PlayingTest?
  }

  /// The destination and configuration of a request, as far as they depend on where it came from.
  struct Route {
    let destination: Destination
    let configuration: URLSessionConfiguration?
  }

  /// A class and not a struct, whose copy would copy every weak reference.
  private final class Use {
    var destination: Destination
    /// The player, also when it is closed.
    weak var player: CassettePlayer?
    /// The session the class was made for, and its configuration; none for a configuration's own class.
    weak var session: URLSession?
    weak var configuration: URLSessionConfiguration?
    /// The jar of cookies that its configuration and every copy of that share.
    weak var jar: HTTPCookieStorage?
    /// The configuration that contains the class, if a task does not reveal its session.
    var given: URLSessionConfiguration?
    var isLent = false
    /// The highest number of a task that was seen to be of the session the class was made for.
    var highestTask: Int?

    init(_ player: CassettePlayer) {
      destination = .player(player)
      self.player = player
    }
  }

  private struct State {
    var made = 0
    var free: [CassetteURLProtocol.Type] = []
    /// Classes of sessions made here, the oldest first.
    var lent: [CassetteURLProtocol.Type] = []
    var uses: [ObjectIdentifier: Use] = [:]
  }

  private let state = Locked(State())
  private let system: LoadingSystem

  init(for system: LoadingSystem = .current) { self.system = system }

  /// The number of classes that exist.
  var count: Int { state.withLock { $0.made } }

  /// A class that leads to a player, for as long as the process runs.
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
  /// A session that was not made here has copied another's configuration. Nobody can tell when it will be gone, so the
  /// class is not taken back. To ask a task for its session costs more than the deck does. It is spared where a task's
  /// number goes on from those of the class's own session: another's begin again, and as long as one with the same jar
  /// exists the class is not taken back anyway.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - task: The number of the task in its session.
  ///   - session: Asks the task for its session.
  /// - Returns: nil when the class leads nowhere.
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

  /// Returns the player of a protocol class; nil for other classes, and when the player is gone.
  func player(of type: AnyClass) -> CassettePlayer? { state.withLock { $0.uses[ObjectIdentifier(type)]?.player } }

  /// Makes requests of these classes fail from now on, for this reason; but not of those that serve another by now.
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
    // A few at a time, so that no test pays for all.
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
