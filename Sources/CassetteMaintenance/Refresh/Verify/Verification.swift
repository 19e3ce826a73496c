package import CassetteHTTP
internal import CassetteMatching
internal import CassetteRecording
package import Cassettes

/// The requests to repeat in order to verify a cassette, and those that are omitted.
///
/// A request that was recorded several times is sent once. The response is compared with the most similar of its
/// recordings; of equally similar ones, with the last.
package struct Verification: Sendable {
  /// A request, with its recordings.
  package struct Question: Sendable {
    /// The indices of the recordings in the cassette, in order.
    package var recordings: [Int]
    /// The request with its secrets, in origin form.
    package var request: HTTPRequest
    /// The origin to send the request to: scheme and authority.
    package var origin: String
  }

  /// A recording whose request is not sent.
  package struct Omission: Hashable, Sendable {
    /// The index of the recording in the cassette.
    package var recording: Int
    /// The reason, and the option to include the request.
    package var reason: String
  }

  /// The options of the user.
  package struct Choice: Sendable {
    /// Additional methods to send, besides those that only read.
    package var methods: Set<String> = []
    /// The ids of the recordings to verify; empty for all recordings.
    package var ids: Set<String> = []
    /// An origin that replaces the cassette's origin; nil to use the cassette's.
    package var origin: String?
    /// Additional origins to send requests to, if recordings name them.
    package var others: Set<String> = []
    /// The secrets by number.
    package var secrets: [Int: String] = [:]

    package init() {}
  }

  /// The requests, in recorded order.
  package private(set) var questions: [Question] = []
  /// The omitted recordings, in recorded order.
  package private(set) var omissions: [Omission] = []
  private let cassette: Cassette

  /// Selects the requests to send.
  ///
  /// - `choice`: The options. Default: all recordings whose method only reads.
  package init(of cassette: Cassette, _ choice: Choice = Choice()) {
    self.cassette = cassette
    let filling = SecretFilling(choice.secrets)
    var waiting: [String: [Int]] = [:]
    for (index, interaction) in cassette.interactions.enumerated() {
      if !choice.ids.isEmpty, !choice.ids.contains(interaction.id) { continue }
      do throws(Refusal) {
        let origin = try Self.origin(for: interaction, cassette, choice)
        let key = "\(interaction.method.rawValue) \(origin)\(interaction.pathAndQuery)"
        let same = (waiting[key] ?? []).first { number in
          RecordingComparison.isSameRequest(cassette.interactions[questions[number].recordings[0]], interaction)
        }
        if let same {
          questions[same].recordings.append(index)
          continue
        }
        let request: HTTPRequest
        do throws(SecretFilling.Failure) {
          request = try filling.request(of: interaction)
        } catch {
          throw Refusal(error)
        }
        waiting[key, default: []].append(questions.count)
        questions.append(Question(recordings: [index], request: request, origin: origin))
      } catch {
        omissions.append(Omission(recording: index, reason: error.reason))
      }
    }
  }

  private struct Refusal: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ failure: SecretFilling.Failure) {
      switch failure {
      case .impossible(let words): reason = words
      case .missing(let numbers):
        let flags = numbers.map { "--secret \($0)" }.joined(separator: " ")
        let names = numbers.map { "MOCKSERVER_SECRET_\($0)" }.joined(separator: " and ")
        reason = "needs \(flags), with the value in \(names)"
      }
    }
  }

  /// Methods that only read.
  private static let safe: Set<HTTPMethod> = [.get, .head, .options]

  private static func origin(
    for interaction: Interaction, _ cassette: Cassette, _ choice: Choice
  ) throws(Refusal) -> String {
    let method = interaction.method
    guard method != .connect, method != .trace else { throw Refusal("\(method) requests are never sent") }
    guard safe.contains(method) || choice.methods.contains(method.rawValue) else {
      throw Refusal("\(method) may change data; to send it anyway, type --method \(method)")
    }
    if let failure = interaction.failure { throw Refusal("it was recorded as a failure (\(failure.name))") }
    let own = cassette.origin.map(RecordedTarget.canonicalOrigin)
    let named = RecordedTarget.origin(of: interaction.url)
    if let named, named != own, !choice.others.contains(named) {
      throw Refusal("its origin is \(named); to send requests there, type --also \(named)")
    }
    if let named, named != own { return named }
    guard let origin = choice.origin ?? own else { throw Refusal("the cassette names no origin; type --origin URL") }
    return origin
  }

  /// The result of repeating one request.
  package struct Verdict: Sendable {
    /// The index in the cassette of the recording that the response was compared with.
    package var recording: Int
    /// The differences between the recording and the response.
    package var differences: [ShapeDifference]

    /// True if no difference breaks clients that rely on the recording.
    package var isTrue: Bool { !differences.contains(where: \.isError) }
  }

  /// Compares a response with the recordings of its request.
  ///
  /// - `isWhole`: False if the body is incomplete and must not be compared. Default: true.
  /// - `ignored`: The places whose differences are ignored. Default: none.
  package func verdict(
    on response: RecordedResponse, to question: Question, isWhole: Bool = true,
    ignoring ignored: IgnoredPlaces = IgnoredPlaces()
  ) throws(CassetteError) -> Verdict {
    var response = response
    let keepsLength = question.request.method == .head || response.status.code == 304
    response.headers = Recording.kept(response.headers, keepsLength: keepsLength, host: nil)
    var nearest: Verdict?
    for index in question.recordings {
      guard let old = cassette.interactions[index].response else { continue }
      let found = try ResponseComparison.differences(
        old, response, comparesBody: isWhole && question.request.method != .head, ignoring: ignored)
      if let nearest, nearest.weight < Verdict.weight(of: found) { continue }
      nearest = Verdict(recording: index, differences: found)
    }
    return nearest ?? Verdict(recording: question.recordings.last ?? 0, differences: [])
  }
}

extension Verification.Verdict {
  /// The distance of the response from the recording; a different status outweighs all differences in the body.
  fileprivate var weight: Int { Self.weight(of: differences) }

  fileprivate static func weight(of differences: [ShapeDifference]) -> Int {
    differences.reduce(0) { $0 + ($1.kind == .status ? 1_000 : 1) }
  }
}
