internal import CassetteMaintenance
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import Dispatch
import MockServerConsole
internal import MockServerUpstream

/// Sends requests to the origins of cassettes one after the other, over one connection per origin.
struct OriginAsking {
  /// The number of consecutive failures after which an origin receives no further requests.
  private static let patience = 3

  private let settings: VerifySettings
  private let now: CurrentWork
  private var callers: [String: UpstreamCaller] = [:]
  private var security: UpstreamCaller.Security?
  private var hasAsked = false
  /// The number of consecutive failures of each origin.
  private var failures: [String: Int] = [:]

  /// Creates a sender of requests, which shows the current request in `now`.
  init(_ settings: VerifySettings, _ now: CurrentWork) { (self.settings, self.now) = (settings, now) }

  /// Sends a request of a verification and returns the response or the failure.
  mutating func ask(
    _ number: Int, of verification: Verification, in cassette: Cassette
  ) throws(CommandError) -> Result<UpstreamCaller.Answer, UpstreamCaller.Failure> {
    let question = verification.questions[number]
    let first = cassette.interactions[question.recordings[0]]
    now.text =
      "request \(number + 1) of \(verification.questions.count): \(first.method) "
      + SecretNames.masked(url: first.url)
    if let count = failures[question.origin], count >= Self.patience {
      return .failure(UpstreamCaller.Failure("no further requests after \(count) failures"))
    }
    let caller = try caller(of: question.origin, cassette)
    if hasAsked, settings.pause > 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + settings.pause) }
    hasAsked = true
    do throws(UpstreamCaller.Failure) {
      let answer = try caller.ask(question.request)
      failures[question.origin] = nil
      return .success(answer)
    } catch {
      failures[question.origin, default: 0] += 1
      return .failure(error)
    }
  }

  private mutating func caller(of origin: String, _ cassette: Cassette) throws(CommandError) -> UpstreamCaller {
    if let caller = callers[origin] { return caller }
    let whom: UpstreamOrigin
    do throws(UpstreamOrigin.Problem) {
      whom = try UpstreamOrigin(origin)
    } catch {
      throw CommandError(.badCassette, "\(Printable.escaped(cassette.file ?? cassette.name)): \(error)")
    }
    // Not `== nil`: macOS 13 and 14 have no runtime metadata for functions with typed throws.
    if whom.isSecure, case .none = security { security = try settings.security() }
    let isNamed = origin == settings.choice.origin || settings.choice.others.contains(origin)
    let caller = UpstreamCaller(
      to: whom, isNamed: isNamed, silenceSeconds: settings.silence, proxies: try Record.proxies(settings.command),
      security: whom.isSecure ? security : nil)
    callers[origin] = caller
    return caller
  }
}
