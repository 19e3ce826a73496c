/// Sends only the last of several questions in quick succession, such as an autocomplete request per word instead of
/// per letter.
///
/// ```swift
/// let suggestions = Throttle(for: .milliseconds(300)) { (text: String) in try await client.send(.suggestions(text)) }
/// // at each letter:
/// if let list = try await suggestions(field.text) { show(list) }
/// ```
/// Each question waits for a pause. A new question replaces the previous one, and cancels its request if that has been
/// sent. A question equal to the last answered one returns the same answer without a request.
public actor Throttle<Question: Equatable & Sendable, Answer: Sendable> {
  private let pause: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let ask: @Sendable (Question) async throws -> Answer
  private var asking: Task<Answer, any Error>?
  private var round = 0
  private var last: (question: Question, answer: Answer)?

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - pause: The time to wait for another question before a question is sent.
  ///   - sleep: The function that waits for the pause, which tests can replace.
  ///   - ask: The function that answers a question.
  public init(
    for pause: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    ask: @escaping @Sendable (Question) async throws -> Answer
  ) {
    (self.pause, self.sleep, self.ask) = (pause, sleep, ask)
  }

  /// Returns the answer to a question; nil if another question has replaced it.
  public func callAsFunction(_ question: Question) async throws -> Answer? {
    asking?.cancel()
    round += 1
    let own = round
    if let last, last.question == question { return last.answer }
    let task = Task { [pause, sleep, ask] in
      try await sleep(pause)
      try Task.checkCancellation()
      return try await ask(question)
    }
    asking = task
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    guard own == round else { return nil }
    let answer = try result.get()
    last = (question, answer)
    return answer
  }
}
