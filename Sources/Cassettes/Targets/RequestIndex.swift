internal import CassetteSystem

/// Finds the recordings of a request by method, path and query, in constant time.
///
/// Open addressing with a hash of the canonical bytes, which are then compared: a lookup among 100,000 recordings takes
/// as long as among ten.
package struct RequestIndex: Sendable {
  /// The recordings of one method, path and query, in recorded order.
  package struct Group: Sendable {
    fileprivate var hash: UInt64
    fileprivate var start: Int
    fileprivate var end: Int
    package fileprivate(set) var first: Int
    fileprivate(set) var last: Int
    package fileprivate(set) var count: Int
  }

  package private(set) var groups: [Group] = []
  /// The methods of all recordings, in the order in which they were added.
  package private(set) var methods: [[UInt8]] = []
  private var keys: [UInt8] = []
  /// The indices of groups plus one; zero for an empty slot.
  private var slots: [UInt32]
  private var mask: Int
  /// The next recording in each recording's group, or -1.
  private var following: [Int32] = []

  package init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
    groups.reserveCapacity(capacity)
    following.reserveCapacity(capacity)
    keys.reserveCapacity(capacity * 32)
  }

  /// Adds the next recording.
  ///
  /// Recordings are numbered from 0 in the order in which they are added.
  package mutating func append(method: Span<UInt8>, target: Span<UInt8>) {
    let number = following.count
    following.append(-1)
    if !methods.contains(where: { $0.span.equals(method) }) { methods.append([UInt8](method)) }
    if let group = group(method: method, target: target) {
      following[groups[group].last] = Int32(number)
      groups[group].last = number
      groups[group].count += 1
      return
    }
    let start = keys.count
    keys.append(method)
    keys.append(UInt8(ascii: " "))
    let targetStart = keys.count
    CanonicalTarget.append(target, to: &keys)
    let hash = keys.span.extracting(targetStart..<keys.count).hash(method.hash(Self.seed))
    groups.append(Group(hash: hash, start: start, end: keys.count, first: number, last: number, count: 1))
    if groups.count * 2 > slots.count { grow() } else { fill(groups.count - 1) }
  }

  /// Returns the group for a method and a target in any spelling.
  package func group(method: Span<UInt8>, target: Span<UInt8>) -> Int? {
    if CanonicalTarget.isPlain(target) { return find(method: method, canonical: target) }
    var canonical: [UInt8] = []
    canonical.reserveCapacity(target.count + 16)
    CanonicalTarget.append(target, to: &canonical)
    return find(method: method, canonical: canonical.span)
  }

  /// Returns the group for a method and a target in any spelling.
  package func group(method: String, target: String) -> Int? {
    method.withUTF8Span { method in target.withUTF8Span { target in group(method: method, target: target) } }
  }

  /// Returns the method and path of a group, without the query.
  package func pathKey(of group: Group) -> ArraySlice<UInt8> {
    let key = keys[group.start..<group.end]
    return key.prefix(upTo: key.firstIndex(of: UInt8(ascii: "?")) ?? key.endIndex)
  }

  /// Returns the method and target of a group, in canonical spelling.
  package func request(of group: Group) -> (method: String, target: String) {
    let key = keys[group.start..<group.end]
    let space = key.firstIndex(of: UInt8(ascii: " ")) ?? key.endIndex
    return (String(decoding: key[..<space], as: UTF8.self), String(decoding: key[space...].dropFirst(), as: UTF8.self))
  }

  /// Returns the recordings of a group, in recorded order.
  package func members(of group: Int) -> [Int] {
    var members: [Int] = []
    members.reserveCapacity(groups[group].count)
    var number = groups[group].first
    while number >= 0 {
      members.append(number)
      number = Int(following[number])
    }
    return members
  }

  private func find(method: Span<UInt8>, canonical: Span<UInt8>) -> Int? {
    let hash = canonical.hash(method.hash(Self.seed))
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let found = slots[slot]
      if found == 0 { return nil }
      let group = Int(found) - 1
      if groups[group].hash == hash, keyEquals(groups[group], method, canonical) { return group }
      slot = (slot + 1) & mask
    }
  }

  private func keyEquals(_ group: Group, _ method: Span<UInt8>, _ target: Span<UInt8>) -> Bool {
    let targetStart = group.start + method.count + 1
    guard group.end - targetStart == target.count else { return false }
    let keys = keys.span
    guard keys[targetStart - 1] == UInt8(ascii: " ") else { return false }
    return keys.extracting(group.start..<(targetStart - 1)).equals(method)
      && keys.extracting(targetStart..<group.end).equals(target)
  }

  private mutating func fill(_ group: Int) {
    var slot = Int(truncatingIfNeeded: groups[group].hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(group + 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for group in groups.indices { fill(group) }
  }

  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
}

extension Span<UInt8> {
  /// Returns a hash of the bytes, computed eight bytes at a time.
  ///
  /// The hash is not secure against collision attacks; the recordings in the table are trusted.
  @inline(__always)
  fileprivate func hash(_ seed: UInt64) -> UInt64 {
    withUnsafeBytes { bytes in
      var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
      var offset = 0
      while offset + 8 <= bytes.count {
        hash = Self.mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var tail: UInt64 = 0
      while offset < bytes.count {
        tail = tail << 8 | UInt64(bytes[offset])
        offset += 1
      }
      return Self.mix(hash ^ tail)
    }
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
