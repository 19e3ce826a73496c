internal import CassetteSecrets
import Cassettes
import JSONText
import MockServerKit
import Sockets

/// What `verify` was asked to do.
struct VerifySettings {
  var choice = Verification.Choice()
  var ignored = IgnoredPlaces()
  var redaction = Redaction.standard
  var accepts = false
  var printsJSON = false
  var pause = 0.0
  var silence = 30.0
  /// Makes secure channels; made when the first is needed.
  var security: () throws(CommandError) -> UpstreamCaller.Security

  init(
    _ invocation: Invocation, environment: (String) -> String? = environment
  ) throws(CommandError) {
    let command = invocation.command
    guard invocation.has(Manual.live) else {
      let path = invocation.operands.first ?? "cassettes"
      throw .usage(
        "verify asks a live server, and that only with --live", of: command,
        hint: "To ask it: mockserver verify --live \(path)\nTo look at the file alone: mockserver check \(path)")
    }
    security = { () throws(CommandError) in try Record.secure(invocation) }
    accepts = invocation.has(Manual.accept)
    printsJSON = invocation.has(Manual.jsonReport)
    redaction = try invocation.redaction()
    if let seconds = invocation.seconds(Manual.pause) { pause = seconds }
    if let seconds = invocation.seconds(Manual.patience) { silence = seconds }
    choice.methods = Set(invocation.texts(Manual.methods).map { $0.uppercased() })
    choice.ids = Set(invocation.texts(Manual.ids))
    if let text = invocation.text(Manual.origin) {
      guard !accepts else {
        throw .usage(
          "--accept takes the truth of the cassette's own origin, not of --origin", of: command,
          hint: "To record another server: mockserver record --upstream \(text) --cassette FILE")
      }
      choice.origin = try Self.origin(text, of: Manual.origin, command)
    }
    for text in invocation.texts(Manual.also) { choice.others.insert(try Self.origin(text, of: Manual.also, command)) }
    for place in invocation.texts(Manual.ignore) where !ignored.insert(place) {
      throw .usage("--ignore is a path such as $.items[*].id, or header:NAME, not \"\(place)\"", of: command)
    }
    for text in invocation.texts(Manual.secret) {
      let (number, value) = try Self.secret(text, command, environment)
      choice.secrets[number] = value
    }
  }

  /// A text without the secrets that were given: an origin may say them again, as a name or in a field.
  func hiding(_ text: String) -> String {
    var text = text
    // The longest first: one may stand in another. What is hardly a text would be found everywhere.
    for (number, value) in choice.secrets.sorted(by: { $0.value.utf8.count > $1.value.utf8.count })
    where value.utf8.count >= 4 {
      for spelling in [value, String(decoding: JSONString.encode(value).dropFirst().dropLast(), as: UTF8.self)] {
        text = text.replacing(spelling, with: "{{secret:\(number)}}")
      }
    }
    return text
  }

  private static func origin(_ text: String, of option: Option, _ command: Command) throws(CommandError) -> String {
    do throws(UpstreamOrigin.Problem) {
      return try UpstreamOrigin(text).description
    } catch {
      throw .usage("\(option.flag): \(error)", of: command)
    }
  }

  /// `1`, whose value is in the environment, or `1=VALUE`; the value is in no message.
  private static func secret(
    _ text: String, _ command: Command, _ environment: (String) -> String?
  ) throws(CommandError) -> (Int, String) {
    let digits = text.prefix { $0 != "=" }
    guard let number = Int(digits), number > 0 else {
      throw .usage(
        "--secret begins with the number of a secret", of: command,
        hint: "For {{secret:1}} type --secret 1, with its value in MOCKSERVER_SECRET_1")
    }
    let name = "MOCKSERVER_SECRET_\(number)"
    let value = digits.count < text.count ? String(text.dropFirst(digits.count + 1)) : environment(name)
    guard let value, !value.isEmpty else {
      throw .usage(
        "--secret \(number) has no value", of: command,
        hint: "Put it into the environment: \(name)=... mockserver verify")
    }
    guard SecretFilling.canBeSent(value) else {
      throw .usage(
        "the value of --secret \(number) holds a line break, or another character no field can have", of: command)
    }
    return (number, value)
  }
}
