internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerWire

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

  /// The key of a cached answer.
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
  /// - `code`: Encodes the body; returns nil if the body cannot be encoded.
  ///
  /// Returns the encoded body; nil if the body cannot be encoded.
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

/// A recorded response as bytes, serialized once and sent many times; only date and connection fields are updated.
final class PreparedAnswer: Sendable {
  private let bytes: [UInt8]
  private let body: [UInt8]
  /// The offset of the CRLF that ends the head: connection fields are inserted before it.
  private let headEnd: Int
  /// The offset of the date's value; nil if the recording has its own date.
  private let dateOffset: Int?
  let status: Int
  let bodyLength: Int
  /// The answer in its recorded coding, and that coding.
  let coded: (answer: PreparedAnswer, coding: String)?

  /// Prepares an answer; returns nil if it has to be serialized for each request.
  init?(_ answer: PlayedResponse, date: [UInt8]) {
    guard answer.interim.isEmpty, answer.trailers.isEmpty else { return nil }
    var body: [UInt8] = []
    switch answer.body {
    case .bytes(let content): body = answer.status.allowsContent ? content : []
    case .length: break
    case .pieces, .measured, .file, .failure: return nil
    }
    var head = AnswerWriter.headWithoutFraming(answer, date: date)
    let dated = !answer.headers.contains("Date") && !answer.status.isInformational
    dateOffset = dated ? head.count - date.count - AnswerWriter.lineEnd.count : nil
    if let length = answer.length { ResponseSerializer.appendField("Content-Length", String(length), to: &head) }
    headEnd = head.count
    head += AnswerWriter.lineEnd
    // A small body is stored after its head: one copy, one write.
    if body.count < Output.largeBody {
      bytes = head + body
      self.body = []
    } else {
      bytes = head
      self.body = body
    }
    coded = answer.coding.flatMap { coding in
      answer.coded.flatMap { PreparedAnswer($0, date: date) }.map { ($0, coding) }
    }
    status = answer.status.code
    bodyLength = body.count
  }

  /// The number of bytes in memory.
  var size: Int { bytes.count + body.count + (coded?.answer.size ?? 0) }

  /// Appends the answer to a request other than `HEAD`, with the current date.
  @inline(__always)
  func append(_ form: AnswerForm, date: [UInt8], to output: inout Output) {
    let start = output.bytes.count
    if form.persists, !form.saysKeepAlive {
      output.append(small: bytes)
    } else {
      output.append(bytes[..<headEnd])
      output.append(small: form.persists ? AnswerWriter.connectionKeepAlive : AnswerWriter.connectionClose)
      output.append(bytes[headEnd...])
    }
    if let dateOffset { output.overwrite(at: start + dateOffset, with: date) }
    if !body.isEmpty { output.append(body) }
  }

  /// Returns the answer in its recorded coding if `Accept-Encoding` prefers it, and otherwise the decoded answer.
  func coded(for accepted: @autoclosure () -> [String]) -> PreparedAnswer {
    guard let coded else { return self }
    let accepted = accepted()
    return !accepted.isEmpty && AcceptedCodings(accepted).prefers(coded.coding) ? coded.answer : self
  }
}
