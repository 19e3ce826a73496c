package import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The gates of a player, found by request.
package final class AnswerGates: Sendable {
  private let finders = Locked<[@Sendable (_ request: HTTPRequest, _ stub: String?) -> CassetteGate?]>([])
  private let hasAny = Flag()

  /// Creates a table without gates.
  package init() {}

  /// True if there may be a gate for a request.
  package var isActive: Bool { hasAny.isSet }

  /// Adds gates; the newest are asked first.
  ///
  /// - Parameter find: Returns the gate for a request and the id of the stub that answers it, if a stub does.
  package func add(_ find: @escaping @Sendable (_ request: HTTPRequest, _ stub: String?) -> CassetteGate?) {
    finders.withLock { $0.insert(find, at: 0) }
    hasAny.set()
  }

  /// Returns the gate that holds the answer to a request; nil where nothing holds it.
  package func gate(for request: HTTPRequest, stub: String?) -> CassetteGate? {
    guard isActive else { return nil }
    return finders.withLock { $0 }.lazy.compactMap { $0(request, stub) }.first
  }
}
