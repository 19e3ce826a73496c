public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The functions for downloads.
extension APIClient {
  /// Downloads a response to a temporary file, which the caller must move or remove.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delegate: A delegate for this task, which takes precedence over that of the session.
  ///   - progress: A function that is called with the progress.
  ///   - configure: A function that changes the session's request once, before the delegate of the client does.
  /// - Returns: The response, whose ``Response/location`` is the file.
  /// - Throws: ``APIError``, an error of Foundation, ``ClientFailure``, or an error that a delegate throws.
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
      // The caller does not know the folder, so a partial file in it could not be continued.
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// Downloads a response to a file in parts, and reports the progress.
  ///
  /// Content received before a failure is kept in `FILE.part`. The next download to the same file continues there if
  /// the server supports ranges and the content is unchanged (RFC 9110 §14.2, §13.1.5). The content of an error
  /// response is not written.
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
      // The range is invalid because the content has become shorter, so the download starts over.
      partial.discard()
      return try await download(
        for: request, to: file, delegate: delegate, progress: progress, configure: configure)
    }
  }
}

/// An incomplete file named `FILE.part`, whose validator is stored in `FILE.validator`.
struct PartialFile: Sendable {
  let destination: URL
  private var part: URL { destination.appendingPathExtension("part") }
  private var note: URL { destination.appendingPathExtension("validator") }

  /// The number of bytes received so far.
  var size: Int64 { Int64((try? part.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }

  /// Returns the request for the missing part, on the condition that the content is unchanged.
  func asking(_ request: URLRequest) -> URLRequest {
    var request = request
    // A range of compressed content would refer to other bytes.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    guard size > 0, let validator = try? String(contentsOf: note, encoding: .utf8) else { return request }
    request.setValue("bytes=\(size)-", forHTTPHeaderField: "Range")
    request.setValue(validator, forHTTPHeaderField: "If-Range")
    return request
  }

  /// Opens the file for a response, and returns its current size; no file for an error response.
  func open(for response: HTTPURLResponse) throws -> (FileHandle?, Int64) {
    guard [200, 203, 206].contains(response.statusCode) else { return (nil, 0) }
    if response.statusCode == 206 {
      let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
      guard range.hasPrefix("bytes \(size)-") else {
        defer { discard() }
        throw ClientFailure.unsupported(
          "Requested bytes \(size)-, received \"\(range)\"; the next download restarts from the beginning")
      }
    } else {
      discard()
      try Data().write(to: part)
      // Only a strong entity tag allows combining parts (RFC 9110 §13.1.5).
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

  /// Moves the complete file to its destination.
  func finish() throws {
    try? FileManager.default.removeItem(at: destination)
    try FileManager.default.moveItem(at: part, to: destination)
    try? FileManager.default.removeItem(at: note)
  }
}
