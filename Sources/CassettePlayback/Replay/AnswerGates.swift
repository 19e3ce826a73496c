package import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The gates of a player, found by request.
package final class AnswerGates: Sendable {
  private let finders = Locked<[@Sendable (_ request: HTTPRequest, _ stub: String?) -> CassetteGate?]>([])
  private let hasAny = Flag()

  /// Creates an empty table.
  package init() {}

  /// True if any gates were added.
  package var isActive: Bool { hasAny.isSet }

  /// Adds gates, which take precedence over those added before.
  ///
  /// - Parameter find: Returns the gate for a request and the id of the stub that answers it, if a stub does.
  package func add(_ find: @escaping @Sendable (_ request: HTTPRequest, _ stub: String?) -> CassetteGate?) {
    finders.withLock { $0.insert(find, at: 0) }
    hasAny.set()
  }

  /// Returns the gate that holds the answer to a request; nil if no gate does.
  package func gate(for request: HTTPRequest, stub: String?) -> CassetteGate? {
    guard isActive else { return nil }
    return finders.withLock { $0 }.lazy.compactMap { $0(request, stub) }.first
  }
}
