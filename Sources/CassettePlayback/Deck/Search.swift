internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// All recordings that may answer a request, by the spellings of the request and the tables that hold recordings.
///
/// It is made without a lock, and only the choice needs the positions of a session.
struct Search {
  /// A request in a spelling that recordings may have.
  struct Spelling {
    /// The request as the client means it.
    let asked: HTTPRequest
    /// The request with recorded names in the place of those that templates gave out.
    let compared: ComparedRequest
    /// The names that templates gave out.
    let handedOut: [HandedOutName]
    /// The candidates among the added stubs, then those of the library.
    let layers: [Candidates]
  }

  /// A choice, with the places of its spelling and its layer.
  typealias Found = (choice: Candidates.Choice, spelling: Int, layer: Int)

  /// The spellings, the likeliest first.
  let spellings: [Spelling]

  /// Looks for candidates under each spelling: decoded content comes before coded content, and recorded names before
  /// those handed out.
  init(_ request: HTTPRequest, _ names: [HandedOutName] = [], in contexts: [Matcher.Context]) {
    var spellings: [Spelling] = []
    for asked in request.contentDecoded.map({ [$0, request] }) ?? [request] {
      var (renamed, used) = (asked, [HandedOutName]())
      for name in names.reversed() {
        guard let other = name.recorded(renamed) else { continue }
        renamed = other
        used.append(name)
      }
      for (request, names) in used.isEmpty ? [(asked, [])] : [(renamed, used), (asked, [])] {
        let compared = ComparedRequest(request)
        let layers = contexts.map { Candidates(compared, in: $0) }
        spellings.append(Spelling(asked: asked, compared: compared, handedOut: names, layers: layers))
      }
    }
    self.spellings = spellings
  }

  /// The recordings of the library that take turns.
  var turns: [Int] { spellings[0].layers.last?.turns ?? [] }

  /// Chooses from the first spelling and layer with an answer; generated answers come after all that was recorded.
  ///
  /// A miss is that of the first spelling.
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
