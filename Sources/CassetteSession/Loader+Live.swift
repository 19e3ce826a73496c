import Cassettes
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  /// Sends a request to the network, and adds the events of its response to the steps.
  func listen(to call: LiveCall, of player: CassettePlayer, for request: URLRequest, content: [UInt8]) {
    guard let queue else { return fail(NSURLErrorUnknown, Self.noQueue) }
    let takesPieces = task.map { SessionTask.takesPieces($0) } ?? collectsPieces
    steps = []
    live = call
    received = .awaited
    keptBody = []
    call.begin { [weak self] event in
      let loader = self
      queue.async { loader?.hear(event, request, content, takesPieces) }
    }
    player.send(call)
  }

  private func hear(_ event: LiveCall.Event, _ request: URLRequest, _ content: [UInt8], _ takesPieces: Bool) {
    switch (event, received) {
    case (.head(let response), _):
      keepCookies(of: response)
      let next = Redirect.next(after: response, to: request)
      if next == nil, takesPieces {
        received = .passing
        steps.append(.head(response))
      } else {
        received = .kept(response, next: next)
      }
    case (.data(let bytes), .passing): steps.append(.data(Data(bytes)))
    case (.data(let bytes), _): keptBody += bytes
    case (.end(let error), .kept(let response, let next)):
      live = nil
      let pieces = keptBody.isEmpty ? [] : [ExchangeResult.Piece(data: Data(keptBody))]
      let delivery = Delivery(response, pieces, brokenOff: error == nil ? nil : URLError.brokenOff)
      keptBody = []
      if let next, error == nil {
        steps.append(.redirect(next.0, content: next.keepsBody ? content : [], instead: delivery))
      } else {
        deliver(delivery)
      }
    case (.end(let error), _):
      live = nil
      steps.append(error.map(Step.fail) ?? .finish)
    }
    proceed()
  }
}
