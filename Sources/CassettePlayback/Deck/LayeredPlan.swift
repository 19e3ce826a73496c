/// The plans of all that may answer one request: stubs that were added, and the library behind them.
struct LayeredPlan {
  /// The answer that was chosen, and the number of the plan it is from.
  typealias Choice = (what: DeckPlan.Choice, layer: Int)

  let compared: ComparedRequest
  private let plans: [DeckPlan]

  init(_ compared: ComparedRequest, in contexts: [Matcher.Context]) {
    self.compared = compared
    plans = contexts.map { DeckPlan(compared, in: $0) }
  }

  /// Returns the table that a plan chooses from.
  func table(of layer: Int) -> RecordingTable { plans[layer].table }

  /// The recordings of the library that take turns.
  var turns: [Int] { plans.last?.turns ?? [] }

  /// Chooses from the first that has an answer; what follows from recordings comes after all that was recorded.
  func choose(_ cursor: inout PlaybackCursor, _ number: UInt64) -> Choice {
    var generated: Choice?
    var last: Choice = (.miss(consumed: [], cursor), plans.count - 1)
    for (layer, plan) in plans.enumerated() {
      last = (plan.choose(&cursor, number), layer)
      switch last.what {
      case .play, .operate, .interrupt: return last
      case .generated: generated = generated ?? last
      case .miss: break
      }
    }
    return generated ?? last
  }
}
