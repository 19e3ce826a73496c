internal import CassetteJSON

/// The server side of the Model Context Protocol, without input or output.
///
/// Each line of JSON-RPC gets at most one line in response.
///
/// It supports `initialize`, `ping`, `tools/list` and `tools/call` (protocol versions 2024-11-05 to 2025-06-18).
struct ToolConversation: Sendable {
  /// The result of a tool call.
  struct Result: Sendable {
    /// The text for the agent, which is data and never an instruction.
    var text: String
    var isError: Bool

    init(_ text: String, isError: Bool = false) { (self.text, self.isError) = (text, isError) }
  }

  /// The maximum length of a line in bytes.
  static let longestLine = 16 << 20
  private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  private let tools: [Tool]
  private let version: String
  private let instructions: String

  /// Creates a conversation with an agent.
  init(tools: [Tool], version: String, instructions: String) {
    (self.tools, self.version, self.instructions) = (tools, version, instructions)
  }

  /// Handles a line and returns the response; nil for a notification, which gets no response.
  ///
  /// - `call`: A function that calls a tool. Its arguments have been validated against the schema of the tool.
  func answer(_ line: [UInt8], calling call: (Tool, JSONValue) -> Result) -> [UInt8]? {
    guard line.count <= Self.longestLine else { return failure(nil, -32700, "the line is longer than 16 MB") }
    guard let message = JSONValue(line) else { return failure(nil, -32700, "the line is not JSON") }
    guard message.isObject, message["jsonrpc"]?.string == "2.0", let method = message["method"]?.string else {
      // The line is a response to a request that this side never sent.
      if message.isObject, message["result"] != nil || message["error"] != nil { return nil }
      return failure(nil, -32600, "the line is not a JSON-RPC 2.0 request")
    }
    guard let id = message["id"] else { return nil }
    guard !id.isObject, !id.isArray else { return failure(nil, -32600, "\"id\" must be a string or a number") }
    switch method {
    case "initialize": return success(id) { initialize(message["params"], &$0) }
    case "ping": return success(id) { _ in }
    case "tools/list":
      return success(id) { result in
        result.array("tools", of: tools) { $0.describe(in: &$1) }
      }
    case "tools/call": return use(id, message["params"], call)
    default: return failure(id, -32601, "there is no method \"\(method)\"")
    }
  }

  private func initialize(_ parameters: JSONValue?, _ result: inout JSONWriter) {
    let asked = parameters?["protocolVersion"]?.string
    result.member("protocolVersion", asked.flatMap { Self.versions.contains($0) ? $0 : nil } ?? Self.versions[0])
    result.object("capabilities") { $0.object("tools") { $0.member("listChanged", false) } }
    result.object("serverInfo") { info in
      info.member("name", "mockserver")
      info.member("version", version)
    }
    result.member("instructions", instructions)
  }

  private func use(_ id: JSONValue, _ parameters: JSONValue?, _ call: (Tool, JSONValue) -> Result) -> [UInt8] {
    let name = parameters?["name"]?.string ?? ""
    guard let tool = tools.first(where: { $0.name == name }) else {
      return failure(
        id, -32602, "there is no tool \"\(name)\"; the tools are \(tools.map(\.name).joined(separator: ", "))")
    }
    let arguments = parameters?["arguments"] ?? JSONValue(checked: Array("{}".utf8))
    let result = tool.problem(in: arguments).map { Result($0, isError: true) } ?? call(tool, arguments)
    return success(id) { answer in
      answer.array("content", of: [result]) { result, content in
        content.member("type", "text")
        content.member("text", result.text)
      }
      answer.member("isError", result.isError)
    }
  }

  private func success(_ id: JSONValue, _ result: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONWriter.object { message in
      message.member("jsonrpc", "2.0")
      message.member("id", json: id.compact)
      message.object("result", result)
    }
  }

  private func failure(_ id: JSONValue?, _ code: Int, _ text: String) -> [UInt8] {
    JSONWriter.object { message in
      message.member("jsonrpc", "2.0")
      message.member("id", json: id?.compact ?? Array("null".utf8))
      message.object("error") { error in
        error.member("code", code)
        error.member("message", text)
      }
    }
  }
}
