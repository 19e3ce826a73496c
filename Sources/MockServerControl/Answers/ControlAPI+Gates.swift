internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import Cassettes

/// Gates: answers that wait until a test in another process releases them.
extension ControlAPI {
  private static let own: Set<String> = ["name"]

  /// Closes a gate for requests.
  func closeGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard let name = try call.body.string("name"), !name.isEmpty else {
      throw ControlRefusal(400, "\"name\" is missing: send a name for the gate")
    }
    let tree = try ControlBody.tree(call.request.body)
    let expected = ExpectedRequest(try InteractionText.request(tree.bytes, tree.root, without: Self.own))
    guard let (gate, isFirst) = server.memory.addGate(name, for: expected) else {
      throw ControlRefusal(
        409, "a gate \"\(name)\" already exists, or there are too many: remove one with DELETE /__mock/gates/NAME")
    }
    let memory = server.memory
    if isFirst { server.gates.add { request, _ in memory.gate(for: request) } }
    return .response(ControlResponse.json(status: 201) { describe(name, gate, &$0) })
  }

  /// Shows a gate, immediately or once enough responses have arrived.
  func showGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (name, gate) = try gate(of: call)
    let count = try call.number("arrived") ?? 0
    let seconds = try seconds(call.number("seconds"))
    return pending(seconds) { isOver in
      let arrived = gate.counts.arrived
      if arrived >= count { return ControlResponse.json { self.describe(name, gate, &$0) } }
      let words = "\(arrived) of \(count) responses arrived at the gate \"\(name)\" within \(seconds) seconds"
      return isOver ? ControlRefusal(409, words).response : nil
    }
  }

  /// Removes a gate and releases the responses that it holds.
  func releaseGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (name, gate) = try gate(of: call)
    let code = call["failing"].map { Int($0) }
    if case .some(nil) = code {
      throw ControlRefusal(400, "\"failing\" must be the number of a URLError code, such as -1001")
    }
    server.memory.removeGate(name)
    let response = ControlResponse.json { describe(name, gate, &$0) }
    gate.open(failingWith: code ?? nil)
    return .response(response)
  }

  private func gate(of call: ControlCall) throws(ControlRefusal) -> (name: String, gate: CassetteGate) {
    let name = call.parameters["name"] ?? ""
    guard let gate = server.memory.gate(named: name) else {
      throw ControlRefusal(404, "there is no gate \"\(name)\"\(ControlCall.hint(name, server.memory.gateNames))")
    }
    return (name, gate)
  }

  private func describe(_ name: String, _ gate: CassetteGate, _ item: inout JSONWriter) {
    let (arrived, held) = gate.counts
    item.member("name", name)
    item.member("arrived", arrived)
    item.member("held", held)
  }
}
