internal import CassetteSystem

/// A deck as one thread of a player sees it, with the constant plans that the thread has carried out.
///
/// A player gives a constant plan a form of its own: bytes for a wire, or a response of a loading system. Forms are kept
/// by recording and by the address that the client used, because links lead there, and are dropped with the deck's
/// generation.
package struct DeckView {
  /// A constant answer in the form that a player sends.
  package typealias Form = AnyObject & Sendable

  private let deck: Deck
  /// The most bytes of all forms; beyond this, all are dropped and made again.
  private let limit: Int
  private var generation: Int
  /// The recordings that play.
  package private(set) var table: RecordingTable
  /// The number of the table, for a journal.
  package private(set) var tableNumber: Int
  /// True if stubs were added.
  package private(set) var hasStubs: Bool
  /// True if a recording that alone answers a request is its whole answer.
  private var isPlain: Bool
  private var forms: [[(address: [UInt8], form: any Form)]]
  /// The number of bytes of all forms.
  package private(set) var size = 0

  /// The most addresses for which a recording's form is kept: clients may make up hosts.
  private static let mostAddresses = 4

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - deck: The deck.
  ///   - limit: The most bytes of all forms.
  package init(_ deck: Deck, limit: Int) {
    (self.deck, self.limit) = (deck, limit)
    generation = deck.generation.value
    let now = deck.now
    (table, tableNumber, hasStubs, isPlain) = (now.table, now.number, now.hasStubs, now.isPlain)
    forms = Array(repeating: [], count: now.table.entries.count)
  }

  /// True if the deck plays something else than this view knows.
  @inline(__always)
  package var isOutdated: Bool { deck.generation.value != generation }

  /// Looks at the deck again, and drops the forms of an earlier generation.
  package mutating func update() { self = DeckView(deck, limit: limit) }

  /// Drops all forms, because what players add to answers has changed.
  package mutating func dropForms() {
    forms = Array(repeating: [], count: table.entries.count)
    size = 0
  }

  /// Returns the recording that alone answers a request without content that matters, and its form; nil if a plan is needed.
  @inline(__always)
  package func constant(
    method: Span<UInt8>, target: Span<UInt8>, address: Span<UInt8>, hasCredentials: () -> Bool
  ) -> (entry: Int, form: any Form)? {
    guard isPlain, let entry = table.sole(method: method, target: target, hasCredentials: hasCredentials),
      let form = form(entry, address)
    else { return nil }
    return (entry, form)
  }

  /// Returns the form of a constant plan; nil if it was not made yet.
  package func form(of playback: Playback, address: Span<UInt8>) -> (any Form)? {
    playback.table === table && !playback.isOfStub ? form(playback.entry, address) : nil
  }

  @inline(__always)
  private func form(_ entry: Int, _ address: Span<UInt8>) -> (any Form)? {
    for kept in forms[entry] where kept.address.span.equals(address) { return kept.form }
    return nil
  }

  /// Keeps the form of a constant plan.
  ///
  /// - Parameters:
  ///   - form: The form that the player sends.
  ///   - bytes: The number of its bytes.
  ///   - playback: The playback of the plan.
  ///   - address: The address that the client used.
  package mutating func keep(_ form: any Form, bytes: Int, of playback: Playback, address: Span<UInt8>) {
    guard playback.table === table, bytes <= limit / 4 else { return }
    if size + bytes > limit { dropForms() }
    size += bytes
    if forms[playback.entry].count == Self.mostAddresses { forms[playback.entry].removeFirst() }
    forms[playback.entry].append((Array(address), form))
  }
}

extension Deck {
  /// The state that a view shows.
  fileprivate var now: (table: RecordingTable, number: Int, hasStubs: Bool, isPlain: Bool) {
    state.withLock { ($0.table, $0.tableNumber, !$0.layers.isEmpty, $0.isPlain && $0.layers.isEmpty) }
  }
}
