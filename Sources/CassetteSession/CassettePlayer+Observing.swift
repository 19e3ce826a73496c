package import CassetteHTTP
import CassettePlayback
internal import CassetteSystem
package import Cassettes
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and its answer before faults are applied, for observers that check exchanges during playback.
package struct PlayedExchange: Sendable {
  /// The request as the session sent it.
  package let request: HTTPRequest
  package let url: URL
  package let status: HTTPStatus
  package let headers: HTTPHeaders
  /// The body without its content coding; nil if the body is incomplete.
  package let body: [UInt8]?
  /// The recording or stub that answered; nil for an answer derived from several recordings.
  package let recording: (id: String, cassette: String, place: SourcePlace?)?

  /// True if a stub answered.
  package var isStub: Bool { recording?.cassette == CassetteStub.cassette }

  /// The observers of all players that are created while this value is bound.
  @TaskLocal package static var observers: [@Sendable (PlayedExchange) -> Void] = []
}

extension CassettePlayer {
  /// Adds an observer of all later answers, called on the queue of the task before the client receives the answer.
  package func observe(_ observer: @escaping @Sendable (PlayedExchange) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  func tell(_ request: HTTPRequest, _ played: PlayedResponse, _ url: URL, of recording: RecordingTable.Entry?)
    throws(CassetteError)
  {
    let observers = state.withLock { $0.observers }
    guard !observers.isEmpty, played.failure == nil else { return }
    // The observer receives the same length and decoded body as the client.
    guard case .response(let delivery) = try ExchangeResult(played, url: url).outcome else { return }
    let exchange = PlayedExchange(
      request: request, url: url, status: played.status, headers: played.headers,
      body: delivery.brokenOff == nil ? delivery.pieces.flatMap(\.data) : nil,
      recording: recording.map { ($0.interaction.id, $0.cassette, $0.interaction.place) })
    for observer in observers { observer(exchange) }
  }
}
