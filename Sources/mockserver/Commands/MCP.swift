import CassetteMaintenance
internal import CassetteSystem
import MockServerConsole
import MockServerKit

/// The command `mcp`, which serves cassettes and offers tools to a coding agent over standard input and output.
enum MCP {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(
      invocation.texts(Manual.cassettes), hint: "Name the cassettes: mockserver mcp --cassettes DIR")
    let upstreams = invocation.texts(Manual.upstreams)
    if let running = invocation.text(Manual.servers) {
      return converse(try calls(running, Replicas.token, paths, upstreams))
    }
    var configuration = MockServer.Configuration(cassettes: paths)
    configuration.port = invocation.number(Manual.port) ?? 0
    configuration.origins = try upstreams.map { text throws(CommandError) in
      try Record.origin(text, of: Manual.upstreams, invocation.command)
    }
    let server = try Serve.load(configuration)
    let url = try Serve.start(server)
    defer { _ = server.stop(within: .seconds(1)) }
    Console.error.write("mockserver: speaking MCP on standard input and output; listening on \(url)\n")
    return converse(try calls(url, nil, paths, upstreams))
  }

  private static func calls(
    _ server: String, _ token: String?, _ paths: [String], _ upstreams: [String]
  ) throws(CommandError) -> AgentCalls {
    do throws(ControlFailure) {
      return AgentCalls(try ControlClient(server, token: token), paths: paths, upstreams: upstreams) { words in
        do throws(CommandError) {
          let program = CommandLine.arguments.first ?? "mockserver"
          let result = try ChildCommand.run([program] + words, takesErrors: true)
          return (Int(result.status), result.output)
        } catch {
          return (Int(error.code.rawValue), error.message)
        }
      }
    } catch {
      throw CommandError(error)
    }
  }

  /// Responds to each line until the input ends.
  private static func converse(_ calls: AgentCalls) -> ExitCode {
    let conversation = ToolConversation(tools: Tool.all, version: version, instructions: Tool.instructions)
    var lines = InputLines()
    while let line = lines.next() {
      guard !line.isEmpty else { continue }
      let answer = conversation.answer(line) { tool, arguments in
        do throws(ControlFailure) {
          return try calls.call(tool.name, arguments)
        } catch {
          return ToolConversation.Result(error.message + (error.hint.map { "\n\($0)" } ?? ""), isError: true)
        }
      }
      if let answer { Console.output.write(answer + [0x0a]) }
    }
    return .success
  }
}

/// The lines of standard input.
///
/// A line that is too long is returned truncated, so that the conversation rejects it.
private struct InputLines {
  private var pending: [UInt8] = []
  private var isAtEnd = false
  private var skips = false

  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: 0x0a) {
        var line = Array(pending[..<end])
        pending.removeFirst(end + 1)
        if skips {
          skips = false
          searched = 0
          continue
        }
        if line.last == 0x0d { line.removeLast() }
        return line
      }
      if isAtEnd { return nil }
      searched = pending.count
      if pending.count > ToolConversation.longestLine {
        let line = pending
        pending = []
        searched = 0
        if !skips {
          skips = true
          return line
        }
      }
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      let count = buffer.withUnsafeMutableBytes { systemRead(0, $0.baseAddress, $0.count) }
      if count > 0 { pending += buffer[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
    }
  }
}
