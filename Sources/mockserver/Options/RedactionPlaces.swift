internal import CassetteSecrets
import Cassettes

extension Invocation {
  /// The redaction that `--redact` and `--keep` ask for.
  func redaction() throws(CommandError) -> Redaction {
    var redaction = Redaction.standard
    for text in texts(Manual.redact) {
      let place = try place(text, of: Manual.redact)
      if case .value(let value) = place, !Redaction.isLookedFor(value) {
        throw .usage(
          "\(Manual.redact.flag): \"\(value)\" is so short or common that it is not looked for everywhere", of: command,
          hint: "Name where it stands: header:NAME, query:NAME, form:NAME or json:$.PATH")
      }
      redaction = redaction.redacting(place)
    }
    for text in texts(Manual.keep) { redaction = redaction.keeping(try place(text, of: Manual.keep)) }
    return has(Manual.keepOpaque) ? redaction.keepingOpaque() : redaction
  }

  /// `header:X-Name`, `query:name`, `form:name`, `json:$.a.b`, `value:text`.
  private func place(_ text: String, of option: Option) throws(CommandError) -> Redaction.Place {
    let kind = text.prefix { $0 != ":" }
    let name = String(text.dropFirst(kind.count + 1))
    if !name.isEmpty {
      switch kind {
      case "header": return .header(name)
      case "query": return .query(name)
      case "form": return .form(name)
      case "value": return .value(name)
      case "json":
        guard Redaction.isPath(name) else {
          throw .usage("\(option.flag): \(name) is no path such as json:$.account.iban", of: command)
        }
        return .json(name)
      default: break
      }
    }
    throw .usage(
      "\(option.flag) is header:NAME, query:NAME, form:NAME, json:$.PATH or value:TEXT, not \"\(text)\"", of: command)
  }
}
