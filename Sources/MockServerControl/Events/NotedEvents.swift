/// The events taken from several rings in one delivery, merged by time.
///
/// Events of the same ring stay in order.
package struct NotedEvents: Sequence {
  /// A response or another event.
  package enum Element {
    case answer(NotedAnswer)
    case event(MockServerEvent)
  }

  let batches: [EventRing.Batch]
  let mask: EventMask

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let batches: [EventRing.Batch]
    private let mask: EventMask
    /// The index of the next note in each batch.
    private var places: [Int]
    private var lost: Int
    private var time = 0

    fileprivate init(_ events: NotedEvents) {
      (batches, mask) = (events.batches, events.mask)
      places = Array(repeating: 0, count: batches.count)
      lost = batches.reduce(0) { $0 + $1.lost }
    }

    package mutating func next() -> Element? {
      guard let first = earliest else { return nextLoss() }
      let batch = batches[first]
      let note = batch.notes[places[first]]
      places[first] += 1
      time = note.at
      if note.event >= 0 { return .event(batch.events[Int(note.event)]) }
      let start = Int(note.textStart)
      let end = start + Int(note.methodLength) + Int(note.targetLength) + Int(note.sessionLength)
      return .answer(
        NotedAnswer(
          note: note, detail: note.detail < 0 ? nil : batch.details[Int(note.detail)],
          table: note.table < 0 ? nil : batch.tables[Int(note.table)], text: batch.text[start..<end], mask: mask))
    }

    private var earliest: Int? {
      var found: Int?
      var least = 0
      for index in batches.indices where places[index] < batches[index].notes.count {
        let at = batches[index].notes[places[index]].at
        if found == nil || at < least { (found, least) = (index, at) }
      }
      return found
    }

    /// Returns a final event that reports dropped events, if there are any.
    private mutating func nextLoss() -> Element? {
      guard lost > 0 else { return nil }
      defer { lost = 0 }
      let words = "\(lost) events were dropped because they were not read fast enough"
      return .event(MockServerEvent(.lost(lost), at: time, words))
    }
  }
}
