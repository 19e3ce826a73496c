package import CassetteHTTP
internal import CassetteMatching
internal import CassetteRecording
package import Cassettes

/// The requests to make to find out if a cassette is still true, and those that are left out.
///
/// A request that was recorded several times is asked once: how often it was asked is the recorder's story. What is
/// answered is compared with the recording it is nearest to, of equally near ones with the last.
package struct Verification: Sendable {
  /// A request, and the recordings of it.
  package struct Question: Sendable {
    /// The places of the recordings in the cassette, in their order.
    package var recordings: [Int]
    /// The request, with the secrets in their places and no origin in its target.
    package var request: HTTPRequest
    /// The origin to ask: scheme and authority.
    package var origin: String
  }

  /// A recording that is not asked for, and why.
  package struct Omission: Hashable, Sendable {
    /// The place of the recording in the cassette.
    package var recording: Int
    /// The reason, and what to type.
    package var reason: String
  }

  /// The options that a person gave.
  package struct Choice: Sendable {
    /// Methods beyond those that only read.
    package var methods: Set<String> = []
    /// The recordings to ask for, by id; empty for all.
    package var ids: Set<String> = []
    /// The origin to ask in place of the cassette's.
    package var origin: String?
    /// Origins to ask beside it, where recordings name them.
    package var others: Set<String> = []
    /// Secrets by the number of their alias.
    package var secrets: [Int: String] = [:]

    package init() {}
  }

  /// The questions, in recorded order.
  package private(set) var questions: [Question] = []
  /// The requests left out, in recorded order.
  package private(set) var omissions: [Omission] = []
  private let cassette: Cassette

  /// Decides what to ask of a cassette, as a person chose.
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

  /// Methods that only read and have an answer of their own.
  private static let safe: Set<HTTPMethod> = [.get, .head, .options]

  private static func origin(
    for interaction: Interaction, _ cassette: Cassette, _ choice: Choice
  ) throws(Refusal) -> String {
    let method = interaction.method
    guard method != .connect, method != .trace else { throw Refusal("\(method) is not asked") }
    guard safe.contains(method) || choice.methods.contains(method.rawValue) else {
      throw Refusal("\(method) may change something; to ask it all the same, type --method \(method)")
    }
    if let failure = interaction.failure { throw Refusal("it was recorded as a failure (\(failure.name))") }
    let own = cassette.origin.map(RecordedTarget.canonicalOrigin)
    let named = RecordedTarget.origin(of: interaction.url)
    if let named, named != own, !choice.others.contains(named) {
      throw Refusal("it is of \(named); to ask there too, type --also \(named)")
    }
    if let named, named != own { return named }
    guard let origin = choice.origin ?? own else { throw Refusal("the cassette names no origin; type --origin URL") }
    return origin
  }

  /// The result of one question.
  package struct Verdict: Sendable {
    /// The recording that the answer was compared with, by its place in the cassette.
    package var recording: Int
    /// The differences of the answer.
    package var differences: [ShapeDifference]

    /// True if nothing breaks clients that rely on the recording.
    package var isTrue: Bool { !differences.contains(where: \.isError) }
  }

  /// Compares an answer, its coding undone and perhaps not whole, with the recordings of its request; finds the
  /// nearest.
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
  /// The distance of an answer from a recording; another status is farther than anything in a body.
  fileprivate var weight: Int { Self.weight(of: differences) }

  fileprivate static func weight(of differences: [ShapeDifference]) -> Int {
    differences.reduce(0) { $0 + ($1.kind == .status ? 1_000 : 1) }
  }
}
