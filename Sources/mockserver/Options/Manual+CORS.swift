import CassetteHTTP
import MockServerConsole
import MockServerWire

/// The options for access from web pages of other origins.
extension Manual {
  static let cors = Option(
    "cors", .choice(["loopback", "recorded"]), standard: "loopback",
    help: "Allow pages served from this machine to read every response, or send the CORS headers exactly as recorded.")
  static let corsOrigin = Option(
    "cors-origin", .text, "ORIGIN", repeats: true,
    help: "Also allow pages of this origin to read every response: https://staging.example. May be repeated.")

  static let browsers = Command.Section(title: "Web pages (CORS)", options: [cors, corsOrigin])
}

extension CORSPolicy {
  /// Creates the policy from the options.
  init(_ invocation: Invocation) throws(CommandError) {
    self = invocation.text(Manual.cors) == "recorded" ? .recorded : CORSPolicy()
    for text in invocation.texts(Manual.corsOrigin) {
      guard self != .recorded else {
        throw .usage("--cors recorded and --cors-origin cannot be combined", of: invocation.command)
      }
      guard let origin = WebOrigin(text) else {
        throw .usage(
          "--cors-origin must be the scheme, host and port of a page, not \"\(text)\"", of: invocation.command,
          hint: "For instance: --cors-origin https://staging.example")
      }
      named.insert(origin)
    }
  }
}
