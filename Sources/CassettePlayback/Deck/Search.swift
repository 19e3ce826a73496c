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
    /// The candidates among the added stubs, then those of the library.
    let layers: [Candidates]
  }

  /// A choice, with the index of its spelling and of its layer.
  typealias Found = (choice: Candidates.Choice, spelling: Int, layer: Int)

  /// The spellings, in order of preference.
  let spellings: [Spelling]

  /// Finds candidates for each spelling: decoded content before encoded content, and recorded names before generated
  /// ones.
  init(_ request: HTTPRequest, _ memory: (any TemplateMemory)? = nil, in contexts: [Matcher.Context]) {
    var spellings: [Spelling] = []
    for asked in request.contentDecoded.map({ [$0, request] }) ?? [request] {
      let renamed = memory.flatMap { contexts.last?.table.templates?.recorded(asked, in: $0) }
      for (request, names) in (renamed.map { [$0] } ?? []) + [(asked, [])] {
        let compared = RequestReading(request)
        let layers = contexts.map { Candidates(compared, in: $0) }
        spellings.append(Spelling(asked: asked, compared: compared, handedOut: names, layers: layers))
      }
    }
    self.spellings = spellings
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
      for (layer, candidates) in spelling.layers.enumerated() {
        let found = (candidates.choose(&cursor, number), place, layer)
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
}
