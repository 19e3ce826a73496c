import CassetteJSON

/// Resources: collections that are really created in, changed and deleted from.
extension CassetteFileReader {
  /// Reads a resource, or a list of them.
  mutating func readResources(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard isAt(UInt8(ascii: "["), bytes) else { return try readResource(bytes) }
    guard var list = try openList(bytes, "\"resource\"") else { return }
    while try nextElement(bytes, &list) { try readResource(bytes) }
  }

  private mutating func readResource(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    var text: [UInt8] = []
    for index in start..<at { text.append(bytes[index]) }
    guard let tree = JSONTree(text) else { return }
    let resource: any CompiledResource
    do throws(EngineError) {
      guard let engine = engines.resources else { throw .notLinked("resource") }
      resource = try engine.resource(tree)
    } catch {
      return try report(bytes, start + error.offset, error.message, error.suggestion)
    }
    let twin = resources.lazy.flatMap(\.paths).first { resource.paths.contains($0) }
    if let twin { return try report(bytes, start, "there are two resources at \"\(twin)\"") }
    resources.append(resource)
  }
}
