import CassetteHTTP
import MockServerConsole
import MockServerWire

/// The options for access from web pages of other origins.
extension Manual {
  static let cors = Option(
    "cors", .choice(["loopback", "recorded"]), standard: "loopback",
    help: "Let pages served from this machine read every answer, or leave answers to pages as they were recorded.")
  static let corsOrigin = Option(
    "cors-origin", .text, "ORIGIN", repeats: true,
    help: "Let pages of this origin read every answer, too: https://staging.example. May be repeated.")

  static let browsers = Command.Section(title: "Pages in browsers", options: [cors, corsOrigin])
}

extension CORSPolicy {
  /// Creates the policy from the options.
  init(_ invocation: Invocation) throws(CommandError) {
    self = invocation.text(Manual.cors) == "recorded" ? .recorded : CORSPolicy()
    for text in invocation.texts(Manual.corsOrigin) {
      guard self != .recorded else {
        throw .usage("--cors recorded and --cors-origin exclude each other", of: invocation.command)
      }
      guard let origin = WebOrigin(text) else {
        throw .usage(
          "--cors-origin is scheme, host and port of a page, not \"\(text)\"", of: invocation.command,
          hint: "For instance: --cors-origin https://staging.example")
      }
      named.insert(origin)
    }
  }
}
