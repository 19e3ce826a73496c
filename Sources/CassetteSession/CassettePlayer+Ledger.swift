import CassetteHTTP
import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes

extension CassettePlayer {
  /// The requests so far and their outcomes.
  public var ledger: CassetteLedger {
    let (kept, isStrict, test) = state.withLock { ($0.ledger, $0.isStrict, $0.test) }
    var ledger = kept
    let table = deck.table
    let shown = { @Sendable (number: Int) -> String in
      let entry = table.entries[number]
      let place = entry.interaction.place.map { " (\($0.file):\($0.line))" } ?? ""
      return
        "\(entry.interaction.method) \(SecretNames.masked(url: entry.interaction.url)) — \"\(entry.interaction.shownID)\" of \"\(entry.cassette)\"\(place)"
    }
    // The order of concurrent requests is unknown, and stubs have no recorded order.
    if !hasOverlapped.isSet {
      ledger.outOfOrder = table.outOfOrder(withRules: isStrict).filter {
        table.entries[$0.first].cassette != CassetteStub.cassette
      }
      .map { "\(shown($0.second))\n    was requested before \(shown($0.first))" }
    }
    ledger.faultsNeverMet = deck.faultsNeverMet
    let overriding = Overriding(table)
    let unplayed = table.neverPlayed.filter { number in
      let interaction = table.entries[number].interaction
      // A recording made by another test is expected to be used by that test.
      if let test, let other = interaction.recorded?.by, other != test { return false }
      return !overriding.hides(interaction)
    }
    ledger.isHidden = { overriding.hides($0) }
    ledger.unplayed = CassetteLedger.Unplayed(numbers: unplayed, words: shown)
    return ledger
  }

  /// The requests received so far, in order, including each request of a redirect; only the first thousand are kept.
  public var requests: [CassetteSentRequest] { state.withLock { $0.ledger.requests.compactMap(\.sent) } }
}

/// The stubs that replace recordings or stubs of an outer scope, which are therefore not reported as unused.
private struct Overriding: Sendable {
  private let stubs: [Interaction]

  init(_ table: RecordingTable) {
    stubs = table.entries.filter { $0.cassette == CassetteStub.cassette }.map(\.interaction)
  }

  /// Returns true if a stub with a higher priority answers the recorded request.
  func hides(_ interaction: Interaction) -> Bool {
    let nearer = stubs.filter { $0.match.priority > interaction.match.priority }
    guard !nearer.isEmpty, let target = HTTPTarget(interaction.pathAndQuery) else { return false }
    var cassette = Cassette(name: CassetteStub.cassette)
    cassette.interactions = nearer
    let request = HTTPRequest(
      method: interaction.method, target: target, headers: interaction.requestHeaders,
      body: (try? interaction.requestBody?.bytes()) ?? [])
    return Deck(CassetteLibrary(cassettes: [cassette])).plan(request).playback != nil
  }
}
