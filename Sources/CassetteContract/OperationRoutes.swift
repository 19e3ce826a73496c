internal import CassetteHTTP

/// Finds the operation of a request: by its method, and the path of least templates (OpenAPI 3.1 §4.8.8).
package struct OperationRoutes: Sendable {
  /// An operation, and the values of its path's templates.
  package struct Found: Sendable {
    package var operation: OpenAPIOperation
    package var values: [String: String]
  }

  /// One segment of a path: texts, and names between them.
  private enum Part: Hashable {
    case text([UInt8])
    case name(String)
  }

  private struct Route {
    var segments: [[Part]]
    var operation: Int
  }

  private let operations: [OpenAPIOperation]
  /// By how many segments a path has.
  private var routes: [Int: [Route]] = [:]

  package init(_ operations: [OpenAPIOperation]) {
    self.operations = operations
    for (index, operation) in operations.enumerated() {
      for base in Set(operation.bases) {
        let segments = Self.segments(of: base + operation.path).map(Self.parts)
        routes[segments.count, default: []].append(Route(segments: segments, operation: index))
      }
    }
    // Texts go before names, from the left.
    for (count, list) in routes {
      routes[count] = list.enumerated().sorted { one, other in
        let (a, b) = (one.element.segments.map(Self.weight), other.element.segments.map(Self.weight))
        return a == b ? one.offset < other.offset : a.lexicographicallyPrecedes(b)
      }.map(\.element)
    }
  }

  /// The operation of a request; nil where the document has none.
  package func operation(_ method: String, _ path: String) -> Found? {
    let segments = Self.segments(of: path)
    for route in routes[segments.count] ?? [] where operations[route.operation].method == method {
      if let values = Self.values(of: segments, in: route.segments) {
        return Found(operation: operations[route.operation], values: values)
      }
    }
    return nil
  }

  /// The methods that a path has.
  package func methods(of path: String) -> [String] {
    let segments = Self.segments(of: path)
    let found = (routes[segments.count] ?? []).filter { Self.values(of: segments, in: $0.segments) != nil }
    return Set(found.map { operations[$0.operation].method }).sorted()
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

  /// Matches a segment with the shortest value for each name; the last takes what is left.
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
