/// Asks for the last of several quick questions only: an autocomplete that asks once for a word, not once a letter.
///
/// ```swift
/// let suggestions = Throttle(for: .milliseconds(300)) { (text: String) in try await client.send(.suggestions(text)) }
/// // at each letter:
/// if let list = try await suggestions(field.text) { show(list) }
/// ```
/// A question waits for a pause first. One that comes meanwhile takes its place, also when the answer is already on its way:
/// that request is cancelled. The same question as the last one answered is not asked again.
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
  ///   - pause: How long nothing new is asked before a question is.
  ///   - sleep: Waits for the pause; a test has it return when it likes.
  ///   - ask: Answers a question.
  public init(
    for pause: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    ask: @escaping @Sendable (Question) async throws -> Answer
  ) {
    (self.pause, self.sleep, self.ask) = (pause, sleep, ask)
  }

  /// Returns the answer to a question, or nil when another question has taken its place.
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
