package import CassetteHTTP
internal import Cassettes

extension ControlAPI {
  /// Responds to a request whose path starts with `/__mock/`.
  package func respond(to request: HTTPRequest) -> ControlAnswer {
    do throws(ControlRefusal) {
      try check(request)
      let answer = try call(request)
      guard case .response(let response) = answer else { return answer }
      return .response(hiding(response))
    } catch {
      return .response(hiding(error.response))
    }
  }

  private func call(_ request: HTTPRequest) throws(ControlRefusal) -> ControlAnswer {
    let path = request.target.path
    // HEAD is handled as GET, and the server omits the content (RFC 9110 §9.3.2).
    let method = request.method == .head ? .get : request.method
    let routes = ControlRoutes.all.compactMap { route in route.parameters(of: path).map { (route, $0) } }
    guard !routes.isEmpty else {
      let names = Set(ControlRoutes.all.map { $0.path }).sorted()
      let meant = nearest(to: path, among: names).map { "; did you mean \($0)?" } ?? "."
      throw ControlRefusal(404, "there is no path \(path)\(meant) GET /__mock/openapi.json describes all calls")
    }
    guard let (route, parameters) = routes.first(where: { $0.0.method == method }) else {
      let methods = routes.map(\.0.method.rawValue)
      let allowed = methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
      throw ControlRefusal(405, "\(path) supports only \(methods.joined(separator: " and "))", [("Allow", allowed)])
    }
    let call = try ControlCall(request, parameters, query: route.query, route.content)
    return try route.answer(self)(call)
  }
}
