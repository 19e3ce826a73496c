internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes

extension Plan {
  /// The number of the request.
  private var number: UInt64 {
    switch self {
    case .constant(let playback), .response(let playback): playback.request
    case .made(_, _, let number): number
    case .miss(let miss): miss.number
    }
  }

  /// Returns a plan with a failure in place of this plan's answer.
  ///
  /// - Parameter code: The `URLError` code of the failure.
  /// - Returns: The plan.
  func failing(_ code: Int) -> Plan {
    let failure = RecordedFailure(code: code)
    return .made(PlayedResponse(failure), by: .fault(failure.name), number: number)
  }
}

extension ServerState {
  /// Returns the gate that holds an answer; nil if no gate does.
  func gate(for request: HTTPRequest, _ plan: Plan) -> CassetteGate? {
    configuration.gates.gate(for: request, stub: plan.playback?.recording.interaction.id)
  }
}
