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
  func deliver(_ delivery: Delivery) {
    let more = steps(of: delivery)
    if steps.isEmpty { steps = more[...] } else { steps += more }
  }

  /// The steps in which an answer is handed on.
  func steps(of delivery: Delivery) -> [Step] {
    let pieces = delivery.pieces
    let end = delivery.brokenOff.map { Step.fail(.make($0, url: delivery.response.url)) } ?? .finish
    if pieces.count == 1, pieces[0].after <= 0, !pieces[0].data.isEmpty {
      return [.head(delivery.response), .data(pieces[0].data), end]
    }
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
    steps.append(end)
    return steps
  }
}
