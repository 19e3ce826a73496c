internal import CassetteHTTP

/// Finds the operation of a request by its method and path; literal segments take precedence (OpenAPI 3.1 §4.8.8).
struct OperationRoutes: Sendable {
  /// An operation, and the values of its path parameters.
  package struct Found: Sendable {
    var operation: OpenAPIOperation
    var values: [String: String]
  }

  /// A part of a path segment: literal text or a parameter.
  private enum Part: Hashable {
    case text([UInt8])
    case name(String)
  }

  private struct Route {
    var segments: [[Part]]
    var operation: Int
  }

  private let operations: [OpenAPIOperation]
  /// The routes by their number of segments.
  private var routes: [Int: [Route]] = [:]
  /// The path segments of each operation, by the base paths of its servers.
  private var bases: [Int: [(base: String, segments: [[Part]])]] = [:]

  init(_ operations: [OpenAPIOperation]) {
    self.operations = operations
    for (index, operation) in operations.enumerated() {
      for base in Set(operation.bases) {
        let segments = Self.segments(of: base + operation.path).map(Self.parts)
        bases[index, default: []].append((base, segments))
        routes[segments.count, default: []].append(Route(segments: segments, operation: index))
      }
    }
    // Literal segments take precedence over parameters, from left to right.
    for (count, list) in routes {
      routes[count] = list.enumerated().sorted { one, other in
        let (a, b) = (one.element.segments.map(Self.weight), other.element.segments.map(Self.weight))
        return a == b ? one.offset < other.offset : a.lexicographicallyPrecedes(b)
      }.map(\.element)
    }
  }

  /// Returns the operation of a request, or nil if the document has none.
  func operation(_ method: String, _ path: String) -> Found? {
    let segments = Self.segments(of: path)
    for route in routes[segments.count] ?? [] where operations[route.operation].method == method {
      if let values = Self.values(of: segments, in: route.segments) {
        return Found(operation: operations[route.operation], values: values)
      }
    }
    return nil
  }

  /// Returns the methods that the document has for a path.
  func methods(of path: String) -> [String] {
    let segments = Self.segments(of: path)
    let found = (routes[segments.count] ?? []).filter { Self.values(of: segments, in: $0.segments) != nil }
    return Set(found.map { operations[$0.operation].method }).sorted()
  }

  /// Returns the operations whose paths are most similar to a path, such as `GET /pets/{id}`, the most similar first.
  func nearest(to method: String, _ path: String, count: Int = 3) -> [(name: String, cost: Int)] {
    // Longer paths are compared by their first 32 segments.
    let segments = Array(Self.segments(of: path).prefix(32))
    var best: [(name: String, cost: Int)] = []
    for (index, operation) in operations.enumerated() {
      var nearest: (base: String, cost: Int)?
      for (base, route) in bases[index] ?? [] {
        let cost = Self.cost(segments, route) + (operation.method == method ? 0 : 1)
        if cost < nearest?.cost ?? .max { nearest = (base, cost) }
      }
      guard let nearest, best.count < count || nearest.cost < best[best.count - 1].cost else { continue }
      let place = best.firstIndex { $0.cost > nearest.cost } ?? best.count
      best.insert(("\(operation.method) \(nearest.base)\(operation.path)", nearest.cost), at: place)
      if best.count > count { best.removeLast() }
    }
    return best
  }

  /// Returns the edit distance of a path and a route in segments: 3 for a different segment, 1 for a similar spelling.
  private static func cost(_ segments: [[UInt8]], _ route: [[Part]]) -> Int {
    var last = (0...route.count).map { $0 * 3 }
    for segment in segments {
      var current = [last[0] + 3]
      for (column, parts) in route.enumerated() {
        var values: [String: String] = [:]
        let change =
          match(segment[...], parts[...], &values) ? 0 : parts.contains { isLike(segment, $0) } ? 1 : 3
        current.append(min(last[column] + change, min(last[column + 1], current[column]) + 3))
      }
      last = current
    }
    return last[route.count]
  }

  /// Returns true if the common prefix and suffix of two strings are at least half of the longer one, ignoring case.
  private static func isLike(_ segment: [UInt8], _ part: Part) -> Bool {
    guard case .text(let text) = part else { return false }
    let (sent, known) = (segment.map { $0 | 0x20 }, text.map { $0 | 0x20 })
    let prefix = zip(sent, known).prefix { $0 == $1 }.count
    let rest = min(sent.count, known.count) - prefix
    let suffix = zip(sent.reversed(), known.reversed()).prefix(rest).prefix { $0 == $1 }.count
    return (prefix + suffix) * 2 >= max(sent.count, known.count, 1)
  }

  private static func segments(of path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(Array.init)
  }

  private static func weight(_ parts: [Part]) -> Int {
    parts.allSatisfy { if case .text = $0 { true } else { false } } ? 0 : parts.count > 1 ? 1 : 2
  }

  private static func parts(_ segment: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var rest = segment[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")), let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      if open > rest.startIndex { parts.append(.text(Array(rest[..<open]))) }
      parts.append(.name(String(decoding: rest[(open + 1)..<close], as: UTF8.self)))
      rest = rest[(close + 1)...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.text(Array(rest))) }
    return parts
  }

  private static func values(of segments: [[UInt8]], in route: [[Part]]) -> [String: String]? {
    var values: [String: String] = [:]
    for (segment, parts) in zip(segments, route) {
      guard match(segment[...], parts[...], &values) else { return nil }
    }
    return values
  }

  /// Matches a segment with the shortest value for each parameter except the last, which takes the remainder.
  private static func match(
    _ segment: ArraySlice<UInt8>, _ parts: ArraySlice<Part>, _ values: inout [String: String]
  ) -> Bool {
    guard let part = parts.first else { return segment.isEmpty }
    switch part {
    case .text(let text):
      guard segment.starts(with: text) else { return false }
      return match(segment.dropFirst(text.count), parts.dropFirst(), &values)
    case .name(let name):
      guard !segment.isEmpty else { return false }
      if parts.count == 1 {
        values[name] = PercentEncoding.decodeText(segment)
        return true
      }
      for end in segment.indices.dropFirst() {
        guard match(segment[end...], parts.dropFirst(), &values) else { continue }
        values[name] = PercentEncoding.decodeText(segment[..<end])
        return true
      }
      return false
    }
  }
}
