package import CassetteHTTP
package import Cassettes

extension ResourceState: ResourceElements {}

extension ResourceDefinition: CompiledResource {
  package var initial: any ResourceElements { ResourceState(self) }

  package func elements(_ json: [UInt8]) throws(EngineError) -> any ResourceElements {
    do throws(ResourceError) {
      return try ResourceState(json, of: self)
    } catch {
      throw EngineError(error.message, at: error.offset)
    }
  }

  package func methods(at path: String?) -> [HTTPMethod]? {
    guard let path else { return operations.keys.map(\.method) }
    return place(of: path).map { methods(of: $0) }
  }

  package func answer(
    _ request: HTTPRequest, base: String, now: String, _ elements: inout any ResourceElements
  ) -> HTTPResponse? {
    guard let asked = ResourceRequest(request, to: self, base: base, now: now) else { return nil }
    var state = elements as? ResourceState ?? ResourceState(self)
    let response = asked.answer(&state)
    elements = state
    return response
  }

  package func refusalOfFull(_ request: HTTPRequest, base: String) -> HTTPResponse? {
    ResourceRequest(request, to: self, base: base, now: "")?.refusalOfFull
  }
}
