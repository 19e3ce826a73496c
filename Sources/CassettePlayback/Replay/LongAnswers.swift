package import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The most recent long answers of a table: each is read, decoded and rewritten once for all its readers.
///
/// A body of 30 MB takes 100 ms to decode, and its readers share the memory of its bytes.
package final class LongAnswers: Sendable {
  /// The number of stored bytes from which on an answer is kept.
  static let leastLength = 64 << 10
  /// The number of stored bytes from which on an answer is made outside of the event loops.
  static let leastBesideLoops = 1 << 20
  /// The number of answers that are kept at most.
  private static let most = 256

  /// The properties by which a plain answer differs from others.
  struct Key: Equatable {
    let entry: Int
    let base: String?
    let origins: SearchedFiles
    /// The identity of the body's file; nil for a body that is in the cassette.
    let file: FileIdentity?

    static func == (one: Key, other: Key) -> Bool {
      one.entry == other.entry && one.origins === other.origins && one.base == other.base && one.file == other.file
    }
  }

  /// An answer that is made once, while others wait for it.
  private final class Slot: Sendable {
    let answer = Locked<PlayedResponse?>(nil)
    let coded = Locked<PlayedBody?>(nil)
  }

  private struct Place {
    let key: Key
    let slot: Slot
    /// The address of the body's bytes, which no other body has while they are kept.
    var address: UInt?
    var size = 0
  }

  /// The places, the most recently used one last.
  private let places = Locked<[Place]>([])
  private let count = Counter(0)

  /// The limit on the bytes in memory, except that the last answer is always kept.
  private let budget: Int

  /// Creates a store for a number of bytes.
  init(budget: Int = 64 << 20) { self.budget = budget }

  /// The number of answers that were made, for tests.
  package var made: Int { count.value }

  /// Returns a kept answer, or makes it.
  func answer(
    _ key: Key, _ make: () throws(CassetteError) -> PlayedResponse
  ) throws(CassetteError) -> PlayedResponse {
    let slot = slot(for: key)
    return try slot.answer.withLock { kept throws(CassetteError) in
      if let kept { return kept }
      let made = try make()
      count.add(1)
      // The parts of a file are read when they are sent, and an open file is not kept.
      guard let address = made.body.address else { return made }
      kept = made
      grow(slot, by: made.body.size, at: address)
      return made
    }
  }

  /// Returns a body in its content coding, which is computed once for a body that is kept.
  ///
  /// - Parameters:
  ///   - body: The body as it is.
  ///   - code: Encodes it; nil if that cannot be done.
  /// - Returns: The encoded body; nil if it cannot be encoded.
  package func coded(_ body: PlayedBody, _ code: () -> PlayedBody?) -> PlayedBody? {
    let slot = body.address.flatMap { address in
      places.withLock { places in places.first { $0.address == address }?.slot }
    }
    guard let slot else { return code() }
    return slot.coded.withLock { kept in
      if let kept { return kept }
      kept = code()
      grow(slot, by: kept?.size ?? 0)
      return kept
    }
  }

  private func slot(for key: Key) -> Slot {
    places.withLock { places in
      var place = Place(key: key, slot: Slot())
      if let index = places.lastIndex(where: { $0.key == key }) {
        place = places.remove(at: index)
      } else if places.count == Self.most {
        places.removeFirst()
      }
      places.append(place)
      return place.slot
    }
  }

  /// Counts bytes of an answer, and drops the answers that were not used for the longest time.
  private func grow(_ slot: Slot, by size: Int, at address: UInt? = nil) {
    places.withLock { places in
      guard let index = places.lastIndex(where: { $0.slot === slot }) else { return }
      places[index].size += size
      if let address { places[index].address = address }
      var total = places.reduce(0) { $0 + $1.size }
      while total > budget, places.count > 1 { total -= places.removeFirst().size }
    }
  }
}

extension PlayedBody {
  /// The number of bytes in memory.
  fileprivate var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .pieces(let pieces, _), .measured(let pieces, _, _): pieces.reduce(0) { $0 + $1.bytes.count }
    case .file, .length: 0
    }
  }

  /// The address of the bytes, or of the list of pieces; nil if the body is not in memory.
  fileprivate var address: UInt? {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    case .pieces(let pieces, _), .measured(let pieces, _, _):
      pieces.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    case .file, .length: nil
    }
  }
}

extension RecordingTable {
  /// Returns a recorded response with links and secrets replaced; a long one is made once for all its readers.
  ///
  /// - Parameters:
  ///   - recorded: The response of the entry.
  ///   - entry: The number of the recording.
  ///   - base: Scheme and authority to put in place of the recorded origins; nil keeps them.
  ///   - origins: The recorded origins.
  ///   - isHead: True for the recorded answer to a `HEAD`.
  /// - Returns: The response.
  /// - Throws: ``CassetteError`` if the body's file cannot be read.
  package func plainResponse(
    _ recorded: RecordedResponse, of entry: Int, base: String?, origins: OriginRewriter, isHead: Bool
  ) throws(CassetteError) -> PlayedResponse {
    func make() throws(CassetteError) -> PlayedResponse {
      try PlannedResponse.plain(
        recorded, base: base, origins: origins, isHead: isHead, standIns(of: entry), entry: entry)
    }
    guard !isHead, let body = recorded.body, body.isLong(LongAnswers.leastLength) else { return try make() }
    let key = LongAnswers.Key(
      entry: entry, base: base, origins: origins.filesWithoutLinks, file: try body.openFile()?.identity)
    return try longAnswers.answer(key, make)
  }
}

extension Playback {
  /// True if making the answer may take longer than an event loop can wait.
  package var isLong: Bool { table.isLong(entry) }
}

extension RecordingTable {
  /// True if making the answer of an entry may take longer than an event loop can wait.
  package func isLong(_ entry: Int) -> Bool {
    entries[entry].interaction.responseBody?.isLong(LongAnswers.leastBesideLoops) ?? false
  }
}
