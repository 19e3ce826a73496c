internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSpecification
internal import Cassettes
internal import MockServerControl
internal import MockServerWire

/// Answers of specifications, and their verdicts on recordings.
extension Responder {
  /// Appends the answer of a specification.
  func write(
    _ answer: SpecificationAnswer, _ number: UInt64, _ request: HTTPRequest, _ form: AnswerForm, _ bytes: Span<UInt8>,
    _ extra: Int, _ output: inout Output
  ) -> NextAction {
    var outcome = Outcome(kind: .specified)
    (outcome.status, outcome.sent) = (answer.response.status, form.isHead ? 0 : answer.response.body.count)
    outcome.journal = .specified(answer.operation)
    outcome.extra = extra
    let breach = SpecificationAnswer.note(answer.findings)
    outcome.words = answer.operation + (breach.map { " (\($0))" } ?? "")
    note(number, outcome, bytes, request)
    return write(answer.response, form, &output)
  }

  /// Tells what a contract says of a settled recording and this request; nil when the request is to be looked at as a whole.
  func verdict(
    _ entry: Int, _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8], _ specifications: SpecificationSet
  ) -> ContractVerdicts.Verdict? {
    guard body.isEmpty else { return nil }
    if let known = verdicts.verdict(entry, head, bytes) { return known }
    let request = HTTPRequest(head: head, bytes: bytes, body: body)
    guard !specifications.isHeavy, let fields = specifications.fields(of: request) else { return nil }
    let isRefused = specifications.refusal(of: request) != nil
    let breach = isRefused ? nil : state.breach(of: request, table.entries[entry].interaction, entry: entry)
    return verdicts.keep(
      ContractVerdicts.Verdict(fields, head, bytes, breach: breach, isRefused: isRefused), for: entry)
  }
}
