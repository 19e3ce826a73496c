public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Downloads.
extension APIClient {
  /// Downloads to a temporary file, which is the caller's to move or to remove; ``Response/location`` says where it is.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - delegate: A delegate of this task alone, asked before the session's.
  ///   - progress: Is told how far it is.
  ///   - configure: Changes the request that is sent, once, before the delegate of the client does.
  /// - Returns: Where the file is, and all that came with it.
  /// - Throws: ``APIError``, an error of Foundation, ``ClientFailure``, or what a delegate throws.
  nonisolated(nonsending) public func download<Value>(
    for request: Request<Value>, delegate: (any URLSessionDataDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<URL> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "APIClientKit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      let file = folder.appending(path: "download")
      return try await download(for: request, to: file, delegate: delegate, progress: progress, configure: configure)
    } catch {
      // The caller does not know this folder: no other download could go on there.
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// Downloads the answer to a file, piece by piece, and reports the progress.
  ///
  /// The content received before a failure stays in `FILE.part`; the next download to the same file goes on there if
  /// the server can and its content is still the same (RFC 9110 §14.2, §13.1.5). An error's content is not written.
  nonisolated(nonsending) public func download<Value>(
    for request: Request<Value>, to file: URL, delegate: (any URLSessionDataDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<URL> {
    let partial = PartialFile(destination: file)
    do {
      let options = Options(way: .download(partial), progress: progress, delegate: delegate)
      let response = try await perform(request, options, configure)
      try partial.finish()
      return response.map { _ in file }
    } catch let error as APIError where error.status == 416 && partial.size > 0 {
      // There is no rest of this size: all of it, then.
      partial.discard()
      return try await download(
        for: request, to: file, delegate: delegate, progress: progress, configure: configure)
    }
  }
}

/// A file that is not whole yet: `FILE.part`, and in `FILE.validator` what its origin called it.
struct PartialFile: Sendable {
  let destination: URL
  private var part: URL { destination.appendingPathExtension("part") }
  private var note: URL { destination.appendingPathExtension("validator") }

  /// The number of bytes that were received so far.
  var size: Int64 { Int64((try? part.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }

  /// The request for what is missing, if it is still of the same content.
  func asking(_ request: URLRequest) -> URLRequest {
    var request = request
    // A range of compressed content would be one of other bytes.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    guard size > 0, let validator = try? String(contentsOf: note, encoding: .utf8) else { return request }
    request.setValue("bytes=\(size)-", forHTTPHeaderField: "Range")
    request.setValue(validator, forHTTPHeaderField: "If-Range")
    return request
  }

  /// Opens the file for a response's content and tells how much of it is there; no file for an error's content.
  func open(for response: HTTPURLResponse) throws -> (FileHandle?, Int64) {
    guard [200, 203, 206].contains(response.statusCode) else { return (nil, 0) }
    if response.statusCode == 206 {
      let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
      guard range.hasPrefix("bytes \(size)-") else {
        defer { discard() }
        throw ClientFailure.unsupported("Asked for bytes \(size)-, got \"\(range)\"; the next download begins anew")
      }
    } else {
      discard()
      try Data().write(to: part)
      // RFC 9110 §13.1.5: a weak validator, or a date, is none to put pieces together by.
      if let tag = response.value(forHTTPHeaderField: "ETag"), !tag.hasPrefix("W/") {
        try tag.write(to: note, atomically: true, encoding: .utf8)
      }
    }
    let handle = try FileHandle(forWritingTo: part)
    return (handle, Int64(clamping: try handle.seekToEnd()))
  }

  func discard() {
    for file in [part, note] { try? FileManager.default.removeItem(at: file) }
  }

  /// Puts the whole file in its place.
  func finish() throws {
    try? FileManager.default.removeItem(at: destination)
    try FileManager.default.moveItem(at: part, to: destination)
    try? FileManager.default.removeItem(at: note)
  }
}
