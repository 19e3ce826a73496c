internal import CassetteSystem

/// The test that sends a request, according to task-local values.
package final class PlayingTest: Sendable {
  /// The test of the current task; nil in a detached task, on a dispatch queue, and in XCTest.
  @TaskLocal package static var current: PlayingTest?

  /// The name of the test with its position, for messages: `"profile()" (AppTests/ProfileTests.swift:12)`.
  package let name: String
  /// The identity of the test and its arguments.
  package let id: String

  package init(_ name: String, id: String) { (self.name, self.id) = (name, id) }

  /// Returns the message for a request that one test sends through the session of another, with the remedy.
  static func words(for sender: PlayingTest) -> String {
    """
    by \(sender.name): the client outlives the test that created it
      Create the client in each test, with URLSession.cassette of that test; a global client keeps the session of the \
    first test that uses it.
    """
  }
}

/// Runs closures with the task-local values of the task that created the context.
///
/// Swift Testing finds the test that an issue belongs to in task-local values, which are not bound on the queue of a
/// session or of a server: an issue that a stub's closure records there belongs to no test. Only a new task inherits
/// these values, so the context keeps a task that has not begun. The thread that runs a closure executes the task.
package final class TaskContext: Sendable {
  private let seed: Locked<WaitingTask>

  /// Creates a context with the task-local values of the caller.
  package init() { seed = Locked(WaitingTask()) }

  /// Runs a closure on the calling thread, as a part of a task with the values of this context.
  package func run<Result>(_ body: () -> Result) -> Result {
    // The tasks are created within a task of this context, so that they inherit its values.
    let task = seed.withLock { seed in
      let tasks = Locked<(next: WaitingTask, own: WaitingTask)?>(nil)
      seed.run { tasks.withLock { $0 = (WaitingTask(), WaitingTask()) } }
      guard let (next, own) = tasks.withLock({ $0 }) else { return WaitingTask() }
      seed = next
      return own
    }
    nonisolated(unsafe) var result: Result?
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      task.run { result = body() }
    }
    return result ?? body()
  }
}

/// A task that begins when a thread executes it.
private final class WaitingTask: Sendable {
  private typealias Action = @Sendable () -> Void
  /// The action of the task; a class, because the task refers to it, too.
  private final class Box: Sendable {
    let action = Locked<Action?>(nil)
  }

  private let box = Box()
  private let stage = Stage()

  init() {
    let create: (isolated Stage) -> Void = { [box] stage in
      Task {
        // A task whose closure captures an actor begins on the executor of the actor.
        _ = stage
        box.action.withLock { $0.take() }?()
      }
    }
    // Creating a task reads nothing that the actor protects, so the cast of the isolation is safe.
    unsafeBitCast(create, to: ((Stage) -> Void).self)(stage)
  }

  /// Executes the task with an action on the calling thread.
  func run(_ action: @escaping @Sendable () -> Void) {
    box.action.withLock { $0 = action }
    stage.executor.run()
    // The closure must not be retained after this method returns.
    box.action.withLock { $0 = nil }
  }

  // A task that never ends is never freed.
  deinit { stage.executor.run() }
}

/// The isolation of one waiting task, whose executor keeps the job of the task.
private actor Stage {
  final class Executor: SerialExecutor {
    private let job = Locked<UnownedJob?>(nil)

    func enqueue(_ job: UnownedJob) { self.job.withLock { $0 = job } }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Executes the job on the calling thread, once.
    func run() { job.withLock { $0.take() }?.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
