internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// All recordings that may answer a request, for each spelling of the request and each table.
///
/// The search needs no lock; only the choice needs the positions of a session.
struct Search {
  /// A request in one of the spellings that recordings may have.
  struct Spelling {
    /// The request with the names that the client uses.
    let asked: HTTPRequest
    /// The request with recorded names in place of the names that templates generated.
    let compared: RequestReading
    /// The names in the request that templates generated.
    let handedOut: [GeneratedName]
    /// The candidates of each table: those of the added stubs, then those of the library.
    let layers: [Candidates]
  }

  /// A choice, with the index of its spelling and of its table's candidates.
  typealias Found = (choice: Candidates.Choice, spelling: Int, layer: Int)

  /// The spellings, in order of preference.
  let spellings: [Spelling]
  /// The candidates of each layer, by index; the best candidate of all tables of a layer is chosen.
  private let ranges: [Range<Int>]

  /// Finds candidates for each spelling: decoded content before encoded content, and recorded names before generated
  /// ones.
  init(
    _ request: HTTPRequest, _ memory: (any TemplateMemory)? = nil, in layers: [[Matcher.Context]], mostElements: Int
  ) {
    var spellings: [Spelling] = []
    for asked in request.contentDecoded(mostElements: mostElements).map({ [$0, request] }) ?? [request] {
      let renamed = memory.flatMap { layers.last?.last?.table.templates?.recorded(asked, in: $0) }
      for (request, names) in (renamed.map { [$0] } ?? []) + [(asked, [])] {
        let compared = RequestReading(request, mostElements: mostElements)
        let candidates = layers.flatMap { layer in layer.map { Candidates(compared, in: $0, of: layer) } }
        spellings.append(Spelling(asked: asked, compared: compared, handedOut: names, layers: candidates))
      }
    }
    self.spellings = spellings
    var end = 0
    ranges = layers.map { layer in
      defer { end += layer.count }
      return end..<end + layer.count
    }
  }

  /// The recordings of the library that answer the request in turn.
  var turns: [Int] { spellings[0].layers.last?.turns ?? [] }

  /// Chooses from the first spelling and layer with an answer; recorded answers take precedence over generated ones.
  ///
  /// A miss is reported for the first spelling.
  func choose(_ cursor: inout PlaybackCursor, _ number: UInt64) -> Found {
    var generated: Found?
    var miss: Found?
    for (place, spelling) in spellings.enumerated() {
      for range in ranges {
        let layer = best(of: range, among: spelling.layers, cursor)
        let found = (spelling.layers[layer].choose(&cursor, number), place, layer)
        switch found.0 {
        case .play, .operate: return found
        case .generated: generated = generated ?? found
        case .miss: if place == 0 { miss = found }
        }
      }
      if let generated { return generated }
    }
    return miss ?? (.miss(consumed: [], cursor), 0, 0)
  }

  /// Returns the index of the candidates with the highest rank; of the first if there are no candidates.
  private func best(of range: Range<Int>, among layers: [Candidates], _ cursor: PlaybackCursor) -> Int {
    if range.count == 1 { return range.lowerBound }
    let ranked = range.compactMap { index in layers[index].rank(cursor).map { (index, $0) } }
    return ranked.max { $0.1 < $1.1 }?.0 ?? range.lowerBound
  }
}
