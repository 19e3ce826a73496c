internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

extension Interaction {
  /// True if the reader certainly accepts every part of the interaction, so that the written form need not be checked.
  ///
  /// True for nearly every exchange recorded over HTTP. If it is false, the written form may still be readable and is
  /// checked.
  var isSurelyReadable: Bool {
    guard rules == nil, case .response(let response) = outcome, response.interim.isEmpty, !response.isTemplate,
      (200...999).contains(response.status.code)
    else { return false }
    return method.rawValue.withUTF8Span(CassetteFileGrammar.isToken) && url.withUTF8Span(CassetteFileGrammar.isTarget)
      && (response.reason?.withUTF8Span(CassetteFileGrammar.isFieldValue) ?? true)
      && (response.coding?.withUTF8Span(CassetteFileGrammar.isTokenList) ?? true)
      && [requestHeaders, response.headers, response.trailers].allSatisfy(Self.areReadable)
      && Self.isReadable(requestBody) && Self.isReadable(response.body) && Self.areReadable(recorded ?? RecordedFacts())
  }

  private static func areReadable(_ fields: HTTPHeaders) -> Bool {
    fields.allSatisfy { field in
      !field.isLatin1 && field.name.withUTF8Span(CassetteFileGrammar.isToken)
        && field.value.withUTF8Span(CassetteFileGrammar.isFieldValue)
    }
  }

  /// The JSON of a body was checked when the body was created.
  private static func isReadable(_ body: Body?) -> Bool {
    switch body?.form {
    case nil, .json: true
    case .text: (try? body?.bytes()).map(BodyText.isText) ?? false
    case .base64, .chunks, .file: false
    }
  }

  private static func areReadable(_ facts: RecordedFacts) -> Bool {
    (facts.at.map(Timestamp.isOne) ?? true)
      && [facts.firstByte, facts.total].allSatisfy { $0.map { $0 >= 0 && $0.isFinite } ?? true }
  }
}
