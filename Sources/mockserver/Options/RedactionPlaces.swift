internal import CassetteMaintenance
internal import CassetteSecrets
import MockServerConsole

extension Invocation {
  /// Returns the redaction according to `--redact` and `--keep`.
  func redaction() throws(CommandError) -> CassetteRedaction {
    var redaction = CassetteRedaction.standard
    for text in texts(Manual.redact) {
      // A value may contain any character. A name or path contains an equals sign only within quotes and brackets.
      let end = text.hasPrefix("value:") ? nil : Self.equals(in: text)
      let place = try place(String(text[..<(end ?? text.endIndex)]), of: Manual.redact)
      if case .value(let value) = place, !CassetteRedaction.isLookedFor(value) {
        throw .usage(
          "\(Manual.redact.flag): \"\(value)\" is too short or common to be removed everywhere", of: command,
          hint: "Name its place: header:NAME, query:NAME, form:NAME or json:$.PATH")
      }
      redaction =
        end.map { redaction.redacting(place, with: String(text[text.index(after: $0)...])) }
        ?? redaction.redacting(place)
    }
    for text in texts(Manual.keep) { redaction = redaction.keeping(try place(text, of: Manual.keep)) }
    return has(Manual.keepOpaque) ? redaction.keepingOpaque() : redaction
  }

  /// Returns the `=` before the replacement in text such as `json:$["a=b"]=text` or `json:$[?@.a==1].b=text`.
  private static func equals(in text: String) -> String.Index? {
    var quote: Character?
    var depth = 0
    return text.indices.first { index in
      let character = text[index]
      if character == quote {
        quote = nil
      } else if quote == nil {
        if character == "\"" || character == "'" { quote = character }
        if character == "[" { depth += 1 }
        if character == "]" { depth -= 1 }
      }
      return character == "=" && quote == nil && depth <= 0
    }
  }

  /// Returns the values of `--secret` by the numbers of their aliases.
  func secrets(_ environment: (String) -> String?) throws(CommandError) -> [Int: String] {
    var secrets: [Int: String] = [:]
    for text in texts(Manual.secret) {
      let (number, value) = try secret(text, environment)
      secrets[number] = value
    }
    return secrets
  }

  /// Parses text such as `header:X-Name`, `query:name`, `form:name`, `json:$.a.b` or `value:text`.
  private func place(_ text: String, of option: Option) throws(CommandError) -> CassetteRedaction.Place {
    let kind = text.prefix { $0 != ":" }
    let name = String(text.dropFirst(kind.count + 1))
    if !name.isEmpty {
      switch kind {
      case "header": return .header(name)
      case "query": return .query(name)
      case "form": return .form(name)
      case "value": return .value(name)
      case "json":
        if let problem = CassetteRedaction.problem(ofPath: name) {
          throw .usage("\(option.flag): \(name) is not a path such as json:$.account.iban: \(problem)", of: command)
        }
        return .json(name)
      default: break
      }
    }
    let shown = text.contains(":") ? kind : ""
    throw .usage(
      "\(option.flag) must be header:NAME, query:NAME, form:NAME, json:$.PATH or value:TEXT, not \"\(shown):…\"",
      of: command)
  }

  /// Parses `1`, whose value is in the environment, or `1=VALUE`.
  ///
  /// Error messages do not contain the value.
  private func secret(_ text: String, _ environment: (String) -> String?) throws(CommandError) -> (Int, String) {
    let digits = text.prefix { $0 != "=" }
    guard let number = Int(digits), number > 0 else {
      throw .usage(
        "--secret must begin with the number of a secret", of: command,
        hint: "For {{secret:1}} type --secret 1, with its value in MOCKSERVER_SECRET_1")
    }
    let name = "MOCKSERVER_SECRET_\(number)"
    let value = digits.count < text.count ? String(text.dropFirst(digits.count + 1)) : environment(name)
    guard let value, !value.isEmpty else {
      throw .usage(
        "--secret \(number) has no value", of: command,
        hint: "Set it in the environment: \(name)=... mockserver \(command.name.rawValue)")
    }
    guard SecretFilling.canBeSent(value) else {
      throw .usage(
        "the value of --secret \(number) has a line break or another character that is not allowed in a header field",
        of: command)
    }
    return (number, value)
  }
}
