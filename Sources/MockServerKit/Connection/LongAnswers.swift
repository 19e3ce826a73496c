internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The most recently used long answers of a table; each is read, decoded and rewritten once for all clients.
///
/// A body of 30 MB takes 100 ms to decode, and all clients share the memory of its bytes.
final class LongAnswers: Sendable {
  /// The minimum number of stored bytes of an answer that is cached.
  static let leastLength = 64 << 10
  /// The minimum number of stored bytes of an answer that is built outside of the event loops.
  static let leastBesideLoops = Playback.longestConstant
  /// The maximum number of cached answers.
  private static let most = 256

  /// The properties that distinguish the cached answers.
  struct Key: Equatable {
    let entry: Int
    let base: String?
    let origins: SearchedFiles
    /// The identity of the body's file; nil if the body is stored in the cassette.
    let file: FileIdentity?

    static func == (one: Key, other: Key) -> Bool {
      one.entry == other.entry && one.origins === other.origins && one.base == other.base && one.file == other.file
    }
  }

  /// A cache entry whose answer is built once, while other clients wait for it.
  private final class Slot: Sendable {
    let answer = Locked<PlayedResponse?>(nil)
    let coded = Locked<PlayedBody?>(nil)
  }

  private struct Place {
    let key: Key
    let slot: Slot
    /// The address of the body's bytes, which is unique while the bytes are cached.
    var address: UInt?
    var size = 0
  }

  /// The cache entries, in the order of their last use.
  private let places = Locked<[Place]>([])
  private let count = Counter(0)

  /// The maximum number of bytes in memory; the most recent answer is cached even if it is larger.
  private let budget: Int

  /// Creates a cache with a maximum number of bytes.
  init(budget: Int = 64 << 20) { self.budget = budget }

  /// The number of answers that were built, for tests.
  var made: Int { count.value }

  /// Returns the cached answer for a key, or builds it.
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

  /// Returns a body in its content coding, which is computed once for a cached body.
  ///
  /// - Parameters:
  ///   - body: The decoded body.
  ///   - code: Encodes the body; returns nil if the body cannot be encoded.
  /// - Returns: The encoded body; nil if the body cannot be encoded.
  func coded(_ body: PlayedBody, _ code: () -> PlayedBody?) -> PlayedBody? {
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

  /// Adds to the size of an answer, and removes the least recently used answers beyond the budget.
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
    case .pieces(let pieces, _), .measured(let pieces, _, _): pieces.size
    case .file, .length, .failure: 0
    }
  }

  /// The address of the bytes, or of the list of pieces; nil if the body is not in memory.
  fileprivate var address: UInt? {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    case .pieces(let pieces, _), .measured(let pieces, _, _):
      pieces.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    case .file, .length, .failure: nil
    }
  }
}
