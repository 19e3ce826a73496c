internal import CassetteSystem

/// Finds the recordings of a request by method, path and query, in constant time.
///
/// A dictionary of the hashes of canonical bytes, which are then compared, so that a lookup creates no key.
package struct RequestIndex: Sendable {
  /// The recordings of one method, path and query, in recorded order.
  package struct Group: Sendable {
    fileprivate let start: Int
    fileprivate let end: Int
    /// The previous group with the same hash.
    fileprivate let before: Int?
    package fileprivate(set) var first: Int
    fileprivate(set) var last: Int
    package fileprivate(set) var count: Int
  }

  package private(set) var groups: [Group] = []
  /// The methods of all recordings, in the order in which they were added.
  package private(set) var methods: [[UInt8]] = []
  private var keys: [UInt8] = []
  /// The last group of each hash.
  private var numbers: [Int: Int] = [:]
  /// The next recording in each recording's group, or -1.
  private var following: [Int32] = []

  package init(capacity: Int) {
    groups.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
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
    let hash = Self.hash(method, keys.span.extracting(targetStart..<keys.count))
    groups.append(
      Group(start: start, end: keys.count, before: numbers[hash], first: number, last: number, count: 1))
    numbers[hash] = groups.count - 1
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
    var found = numbers[Self.hash(method, canonical)]
    while let group = found, !keyEquals(groups[group], method, canonical) { found = groups[group].before }
    return found
  }

  private static func hash(_ method: Span<UInt8>, _ target: Span<UInt8>) -> Int {
    var hasher = Hasher()
    method.withUnsafeBytes { hasher.combine(bytes: $0) }
    target.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private func keyEquals(_ group: Group, _ method: Span<UInt8>, _ target: Span<UInt8>) -> Bool {
    let targetStart = group.start + method.count + 1
    guard group.end - targetStart == target.count else { return false }
    let keys = keys.span
    guard keys[targetStart - 1] == UInt8(ascii: " ") else { return false }
    return keys.extracting(group.start..<(targetStart - 1)).equals(method)
      && keys.extracting(targetStart..<group.end).equals(target)
  }
}
