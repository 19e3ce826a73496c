internal import CassetteSystem

/// A thread's view of a deck, with the constant answers that the thread has already sent.
///
/// A player converts a constant plan into a form: bytes for a connection, or a response of a loading system. Forms are
/// cached by recording and by the address that the client used, because links contain this address, and are dropped
/// when the deck's generation changes.
package struct DeckView {
  /// A constant answer in the form that a player sends.
  package typealias Form = AnyObject & Sendable

  private let deck: Deck
  /// The maximum number of bytes of all forms; when it is exceeded, all forms are dropped.
  private let limit: Int
  private var generation: Int
  /// The table of the loaded library.
  package private(set) var table: RecordingTable
  /// The number of the table, for the journal.
  package private(set) var tableNumber: Int
  /// True if stubs were added.
  package private(set) var hasStubs: Bool
  /// True if neither stubs, faults nor settings affect an answer.
  private var isPlain: Bool
  private var forms: [[(address: [UInt8], form: any Form)]]
  /// The number of bytes of all forms.
  private(set) var size = 0

  /// The maximum number of addresses per recording: clients may send any host name.
  private static let mostAddresses = 4

  /// Creates a view of a deck.
  ///
  /// - `limit`: The maximum number of bytes of all forms.
  package init(_ deck: Deck, limit: Int) {
    (self.deck, self.limit) = (deck, limit)
    generation = deck.generation.value
    let now = deck.now
    (table, tableNumber, hasStubs, isPlain) = (now.table, now.number, now.hasStubs, now.isPlain)
    forms = Array(repeating: [], count: now.table.entries.count)
  }

  /// True if the deck has changed since the view was created.
  @inline(__always)
  package var isOutdated: Bool { deck.generation.value != generation }

  /// Updates the view from the deck, and drops the forms of an earlier generation.
  package mutating func update() { self = DeckView(deck, limit: limit) }

  /// Drops all forms; called when the fields that players add to answers have changed.
  mutating func dropForms() {
    forms = Array(repeating: [], count: table.entries.count)
    size = 0
  }

  /// Returns the only recording that can answer a request, and its form; nil if a plan is needed.
  @inline(__always)
  package func constant(
    method: Span<UInt8>, target: Span<UInt8>, hasBody: Bool = false, address: Span<UInt8>, hasCredentials: () -> Bool
  ) -> (entry: Int, form: any Form)? {
    guard isPlain,
      let entry = table.sole(method: method, target: target, hasBody: hasBody, hasCredentials: hasCredentials),
      let form = form(entry, address)
    else { return nil }
    return (entry, form)
  }

  /// Returns the form of a constant plan; nil if it has not been created.
  package func form(of playback: Playback, address: Span<UInt8>) -> (any Form)? {
    playback.table === table && !playback.isOfStub ? form(playback.entry, address) : nil
  }

  @inline(__always)
  private func form(_ entry: Int, _ address: Span<UInt8>) -> (any Form)? {
    for kept in forms[entry] where kept.address.span.equals(address) { return kept.form }
    return nil
  }

  /// Stores the form of a constant plan.
  ///
  /// - `bytes`: The size of the form in bytes.
  package mutating func keep(_ form: any Form, bytes: Int, of playback: Playback, address: Span<UInt8>) {
    guard playback.table === table, bytes <= limit / 4 else { return }
    if size + bytes > limit { dropForms() }
    size += bytes
    if forms[playback.entry].count == Self.mostAddresses { forms[playback.entry].removeFirst() }
    forms[playback.entry].append((Array(address), form))
  }
}

extension Deck {
  /// The state of the deck that a view copies.
  fileprivate var now: (table: RecordingTable, number: Int, hasStubs: Bool, isPlain: Bool) {
    state.withLock { ($0.table, $0.tableNumber, !$0.stubTables.isEmpty, $0.isPlain && $0.stubTables.isEmpty) }
  }
}
