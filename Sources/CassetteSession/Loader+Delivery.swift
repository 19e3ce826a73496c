import CassetteFoundation
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  /// A response and the pieces of its body.
  struct Delivery: Sendable {
    let response: HTTPURLResponse
    let pieces: [ExchangeResult.Piece]
    /// The code of the error that ends it too early.
    let brokenOff: Int?
  }

  /// Hands an answer on, behind what is still to be done.
  func deliver(_ delivery: Delivery) { steps += steps(of: delivery) }

  /// The steps in which an answer is handed on.
  func steps(of delivery: Delivery) -> [Step] {
    let pieces = delivery.pieces
    let takesPieces = pieces.count < 2 || task.map { SessionTask.takesPieces($0) } ?? false
    var steps: [Step] = [.head(delivery.response)]
    if takesPieces {
      for piece in pieces {
        if piece.after > 0 { steps.append(.wait(piece.after)) }
        if !piece.data.isEmpty { steps.append(.data(piece.data)) }
      }
    } else {
      for piece in pieces where piece.after > 0 { steps.append(.wait(piece.after)) }
      steps.append(.data(Data(pieces.flatMap(\.data))))
    }
    steps.append(delivery.brokenOff.map { .fail(.make($0, url: delivery.response.url)) } ?? .finish)
    return steps
  }
}
