import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  typealias Delivery = ExchangeResult.Delivery

  /// Adds the delivery of an answer to the remaining steps.
  func deliver(_ delivery: Delivery) { steps += steps(of: delivery) }

  /// Delivers a complete answer immediately; using steps for it would take a thirtieth of the time of an exchange.
  func deliver(_ whole: Data, of response: HTTPURLResponse, to loading: CassetteURLProtocol) {
    let client = loading.client
    client?.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(loading, didLoad: whole)
    end()
    client?.urlProtocolDidFinishLoading(loading)
  }

  /// Returns the steps that deliver an answer.
  func steps(of delivery: Delivery) -> [Step] {
    let pieces = delivery.pieces
    let end = delivery.brokenOff.map { Step.fail(.make($0, url: delivery.response.url)) } ?? .finish
    let takesPieces = pieces.count < 2 || task.map { SessionTask.takesPieces($0) } ?? collectsPieces
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
