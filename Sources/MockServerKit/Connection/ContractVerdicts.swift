internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerWire

/// The verdicts of a contract on settled recordings, for one loop: found once, told again for the same request.
struct ContractVerdicts {
  /// The verdict on one recording, and the fields that it depends on.
  struct Verdict {
    private let fields: [[UInt8]]
    private let key: [UInt8]
    /// In what the exchange breaks the contract, as a field of the answer.
    let breach: String?
    /// True if the recording must not answer the request.
    let isRefused: Bool

    init(_ fields: [String], _ head: RequestHead, _ bytes: Span<UInt8>, breach: String?, isRefused: Bool) {
      self.fields = fields.map { Array($0.utf8) }
      key = Self.key(self.fields, head, bytes)
      (self.breach, self.isRefused) = (breach, isRefused)
    }

    /// Tells whether a request has the same values in those fields.
    @inline(__always)
    func holds(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
      fields.isEmpty || Self.key(fields, head, bytes) == key
    }

    private static func key(_ fields: [[UInt8]], _ head: RequestHead, _ bytes: Span<UInt8>) -> [UInt8] {
      var key: [UInt8] = []
      for field in head.fields {
        let name = bytes.extracting(field.name.range)
        guard let index = fields.firstIndex(where: { isSame($0, name) }) else { continue }
        key.append(UInt8(truncatingIfNeeded: index))
        key.append(bytes.extracting(field.value.range))
        key.append(0)
      }
      return key
    }

    private static func isSame(_ field: [UInt8], _ name: Span<UInt8>) -> Bool {
      guard field.count == name.count else { return false }
      for index in field.indices where field[index] != name[index] {
        guard (0x41...0x5a).contains(name[index]), field[index] == name[index] | 0x20 else { return false }
      }
      return true
    }
  }

  private var verdicts: [Verdict?]

  init(count: Int) { verdicts = Array(repeating: nil, count: count) }

  /// Returns the verdict on a recording, where it holds for this request.
  @inline(__always)
  func verdict(_ entry: Int, _ head: RequestHead, _ bytes: Span<UInt8>) -> Verdict? {
    guard let known = verdicts[entry], known.holds(head, bytes) else { return nil }
    return known
  }

  /// Returns the last verdict, of whichever request.
  func latest(_ entry: Int) -> Verdict? { verdicts.indices.contains(entry) ? verdicts[entry] : nil }

  mutating func keep(_ verdict: Verdict, for entry: Int) -> Verdict {
    verdicts[entry] = verdict
    return verdict
  }
}
