import CassetteHTTP
public import CassettePlayback
internal import CassetteSecrets
package import Cassettes

/// The requests that a player was asked, and their outcomes.
public struct CassetteLedger: Sendable {
  /// A request and the recording that answered it.
  public struct Entry: Sendable, Equatable {
    /// The request itself; nil for one that is not HTTP.
    public let sent: CassetteSentRequest?
    /// The recording or stub that answered; nil for other outcomes.
    package let recording: Interaction?
    /// The URL of one that is not HTTP.
    private let url: String
    private let words: @Sendable () -> String

    /// Method and target, secrets masked.
    public var request: String { sent?.line ?? url }
    /// The cassette and id of the recording, or another outcome.
    public var answer: String { words() }

    /// An entry that is put into words when someone reads it: those of a test that passes took a third of an exchange.
    init(
      _ sent: CassetteSentRequest?, url: String = "", by recording: Interaction? = nil,
      _ words: @escaping @Sendable () -> String
    ) {
      (self.sent, self.url, self.recording, self.words) = (sent, url, recording, words)
    }

    /// Tells whether two entries have the same texts.
    public static func == (one: Entry, other: Entry) -> Bool {
      one.request == other.request && one.answer == other.answer
    }
  }

  /// The recordings that no request has played, each put into words when it is asked for.
  package struct Unplayed: RandomAccessCollection, Sendable {
    var numbers: [Int] = []
    var words: @Sendable (_ number: Int) -> String = { _ in "" }

    package var startIndex: Int { 0 }
    package var endIndex: Int { numbers.count }
    package subscript(position: Int) -> String { words(numbers[position]) }
  }

  /// The number of requests that are kept.
  static let kept = 1_000
  /// The number of bytes of their bodies that are kept.
  static let keptBytes = 64 << 20
  private var bytes = 0

  /// The first thousand requests, in the order they came.
  public private(set) var requests: [Entry] = []
  /// The number of requests that came.
  public private(set) var count = 0
  /// The requests that nothing answered.
  public internal(set) var misses: [Miss] = []
  /// The answers by recordings that differ from the request as far as their rules allow, at most a thousand.
  public internal(set) var approximations: [Approximation] = []
  /// The other problems: bodies that cannot be read, requests that are not HTTP.
  public internal(set) var problems: [String] = []
  /// The recordings that no request has played, with their places.
  public var neverPlayed: [String] { Array(unplayed) }
  /// The same, put into words as they are read: a cassette of thousands costs a test that is silent about them nothing.
  package internal(set) var unplayed = Unplayed()

  /// Tells whether a stub of the test stands in the place of a recording.
  package internal(set) var isHidden: @Sendable (Interaction) -> Bool = { _ in false }

  /// The recordings that were first asked for before one that is recorded before them.
  ///
  /// None when any requests were under way side by side: those have no order.
  public internal(set) var outOfOrder: [String] = []
  /// The faults that no request was for, as they are written in code.
  public internal(set) var faultsNeverMet: [String] = []

  mutating func note(_ entry: @autoclosure () -> Entry) {
    count += 1
    guard requests.count < Self.kept, bytes < Self.keptBytes else { return }
    let entry = entry()
    bytes += entry.sent?.request.body.count ?? 0
    requests.append(entry)
  }

  mutating func keep(_ approximation: Approximation?) {
    guard let approximation, approximations.count < Self.kept else { return }
    approximations.append(approximation)
  }
}
