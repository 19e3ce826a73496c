internal import CassetteSystem

/// Holds answers until a test releases them, so that a test decides in which order answers arrive.
///
/// ```swift
/// let gate = CassetteGate()
/// try await withCassette(stubs: [CassetteStub(.get("/user"), .json(["login": "kean"]).held(by: gate))]) { session in
///   async let user = Client(session: session).user()
///   await gate.reached()
///   // The request has been sent and waits: here is the place to look at the loading state.
///   await gate.release()
///   #expect(try await user.login == "kean")
/// }
/// ```
/// A gate belongs to one test. While it holds an answer, the request times out only on a clock that the test provides.
public final class CassetteGate: Sendable {
  /// Continues an answer.
  ///
  /// With an error code, the answer fails with that error.
  package typealias Release = @Sendable (_ failure: Int?) -> Void

  private struct State: ~Copyable {
    var isOpen = false
    var arrivals = 0
    var next = 0
    var held: [Int: Release] = [:]
    var watchers: [Int: (arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state = Locked(State())

  /// Creates a gate that is closed.
  public init() {}

  /// Waits until answers have arrived at the gate.
  ///
  /// Answers that were already released count, too.
  ///
  /// Returns early if the task is cancelled.
  ///
  /// - Parameter count: The number of answers to wait for. 1 by default.
  public func reached(_ count: Int = 1) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.arrivals >= count || Task.isCancelled { return true }
          state.watchers[number] = (count, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Opens the gate: held answers continue, and later answers pass.
  public func release() async { open(failingWith: nil) }

  /// Waits for at least one answer, makes all held answers fail, and opens the gate for later answers.
  ///
  /// - Parameter code: The code of the error, as in `URLError`.
  package func release(failingWith code: Int) async {
    await reached()
    open(failingWith: code)
  }

  /// Opens the gate immediately, from any thread.
  ///
  /// With an error code, held answers fail with that error.
  package func open(failingWith code: Int?) {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [:] }
      return state.held
    }
    for (_, release) in held.sorted(by: { $0.key < $1.key }) { release(code) }
  }

  /// The number of answers that have arrived, and the number of answers that are held.
  package var counts: (arrived: Int, held: Int) { state.withLock { ($0.arrivals, $0.held.count) } }

  /// Holds an answer, or continues it at once if the gate is open.
  ///
  /// Returns the number for ``forget(_:)``; nil if the answer is not held.
  @discardableResult
  package func hold(_ release: @escaping Release) -> Int? {
    let (number, ready) = state.withLock { state in
      state.arrivals += 1
      let arrivals = state.arrivals
      let ready = state.watchers.filter { $0.value.arrivals <= arrivals }
      for number in ready.keys { state.watchers[number] = nil }
      guard !state.isOpen else { return (Int?.none, Array(ready.values)) }
      state.next += 1
      state.held[state.next] = release
      return (state.next, Array(ready.values))
    }
    if number == nil { release(nil) }
    for watcher in ready { watcher.continuation.resume() }
    return number
  }

  /// Discards a held answer whose request was cancelled or has ended.
  package func forget(_ number: Int) { state.withLock { $0.held[number] = nil } }
}
