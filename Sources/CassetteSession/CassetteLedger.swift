import CassetteHTTP
public import CassettePlayback
internal import CassetteSecrets
package import Cassettes

/// The requests that a player received, and their outcomes.
public struct CassetteLedger: Sendable {
  /// A request and the recording that answered it.
  public struct Entry: Sendable, Equatable {
    /// The request; nil if it was not an HTTP request.
    public let sent: CassetteSentRequest?
    /// The recording or stub that answered; nil for other outcomes.
    package fileprivate(set) var recording: Interaction?
    /// The URL of a request that is not an HTTP request.
    private let url: String
    private let words: @Sendable () -> String

    /// The method and target, with secrets masked.
    public var request: String { sent?.line ?? url }
    /// The cassette and id of the recording, or another outcome.
    public var answer: String { words() }

    /// Creates an entry whose text is formatted on access: formatting it immediately took a third of the time of an
    /// exchange.
    package init(
      _ sent: CassetteSentRequest?, url: String = "", by recording: Interaction? = nil,
      _ words: @escaping @Sendable () -> String
    ) {
      (self.sent, self.url, self.recording, self.words) = (sent, url, recording, words)
    }

    /// Returns true if two entries have equal texts.
    public static func == (one: Entry, other: Entry) -> Bool {
      one.request == other.request && one.answer == other.answer
    }
  }

  /// The recordings that no request has used, formatted on access.
  package struct Unplayed: RandomAccessCollection, Sendable {
    var numbers: [Int] = []
    var words: @Sendable (_ number: Int) -> String = { _ in "" }

    package var startIndex: Int { 0 }
    package var endIndex: Int { numbers.count }
    package subscript(position: Int) -> String { words(numbers[position]) }
  }

  /// The number of requests that are kept.
  static let kept = 1_000
  /// The maximum total size of their bodies in bytes.
  static let keptBytes = 64 << 20
  private var bytes = 0

  /// The first thousand requests, in the order in which they were received.
  public private(set) var requests: [Entry] = []
  /// The number of requests that were received.
  public private(set) var count = 0
  /// The requests that no recording or stub answered.
  public internal(set) var misses: [Miss] = []
  /// The answers by recordings that differ from the request as far as their rules allow, at most a thousand.
  public internal(set) var approximations: [Approximation] = []
  /// The other problems: bodies that cannot be read, and requests that are not HTTP requests.
  public internal(set) var problems: [String] = []
  /// The recordings that no request has used, with their positions.
  public var neverPlayed: [String] { Array(unplayed) }
  /// The same recordings, formatted on access, so that thousands of recordings cost nothing if they are not reported.
  package internal(set) var unplayed = Unplayed()

  /// Returns true if a stub of the test replaces a recording.
  package internal(set) var isHidden: @Sendable (Interaction) -> Bool = { _ in false }

  /// The recordings that were first used before an earlier recording.
  ///
  /// Empty if any requests were concurrent, because concurrent requests have no order.
  public internal(set) var outOfOrder: [String] = []
  /// The faults that affected no request, in Swift syntax.
  public internal(set) var faultsNeverMet: [String] = []
  /// The paths of ignored values that selected nothing in all bodies that were compared.
  public internal(set) var ignoredNeverFound: [String] = []

  mutating func note(_ entry: @autoclosure () -> Entry) {
    count += 1
    guard requests.count < Self.kept, bytes < Self.keptBytes else { return }
    let entry = entry()
    bytes += entry.sent?.request.body.count ?? 0
    requests.append(entry)
  }

  /// Replaces the answer of the request with this number, counted from 0, by the answer of a stub's closure.
  mutating func answer(_ number: Int, with made: PlayedResponse) {
    guard requests.indices.contains(number) else { return }
    var response = RecordedResponse(status: made.status)
    response.headers = made.headers
    if case .bytes(let bytes) = made.body { response.body = .storing(bytes) }
    requests[number].recording?.outcome = made.failure.map { .failure($0) } ?? .response(response)
  }

  mutating func keep(_ approximation: Approximation?) {
    guard let approximation, approximations.count < Self.kept else { return }
    approximations.append(approximation)
  }
}
