package import CassetteHTTP
import CassettePlayback
internal import CassetteSystem
package import Cassettes
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and what answered it, before faults: for those who judge exchanges while they are played.
package struct PlayedExchange: Sendable {
  /// The request as the session sent it.
  package let request: HTTPRequest
  package let url: URL
  package let status: HTTPStatus
  package let headers: HTTPHeaders
  /// The answer's body without its coding; nil where it breaks off.
  package let body: [UInt8]?
  /// The recording that answered, or a stub; nil for what was derived from several.
  package let recording: (id: String, cassette: String, place: SourcePlace?)?

  /// True if code answered.
  package var isStub: Bool { recording?.cassette == CassetteStub.cassette }

  /// The observers of all players that are made while this is set.
  @TaskLocal package static var observers: [@Sendable (PlayedExchange) -> Void] = []
}

extension CassettePlayer {
  /// Has every later answer told to an observer, on the queue of its task and before the client has it.
  package func observe(_ observer: @escaping @Sendable (PlayedExchange) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  func tell(_ request: HTTPRequest, _ played: PlayedResponse, _ url: URL, of recording: RecordingTable.Entry?)
    throws(CassetteError)
  {
    let observers = state.withLock { $0.observers }
    guard !observers.isEmpty, played.failure == nil else { return }
    // The length that is framed and the coding that is undone are those that the client sees.
    guard case .response(let delivery) = try ExchangeResult(played, url: url).outcome else { return }
    let exchange = PlayedExchange(
      request: request, url: url, status: played.status, headers: played.headers,
      body: delivery.brokenOff == nil ? delivery.pieces.flatMap(\.data) : nil,
      recording: recording.map { ($0.interaction.id, $0.cassette, $0.interaction.place) })
    for observer in observers { observer(exchange) }
  }
}
