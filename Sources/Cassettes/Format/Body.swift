package import CassetteHTTP
public import CassetteJSON
internal import CassetteSystem

/// A body and the form in which it is stored.
///
/// A body that was read from a cassette is an offset into the file, and is decoded on access.
public struct Body: Sendable {
  /// The form in which a cassette stores the bytes.
  public enum Form: Hashable, Sendable {
    /// A JSON value.
    ///
    /// On replay, its tokens are formatted in this style, with a trailing line feed if `newline` is true.
    case json(style: JSONStyle, newline: Bool)
    /// A string.
    case text
    /// Base64.
    case base64
    /// A separate file, by its path relative to the cassette's folder.
    case file(String)
    /// Chunks that arrived one after the other.
    case chunks([BodyChunk], end: BodyEnd)
  }

  private enum Storage: Sendable {
    case read(CassetteFileSource, UInt32)
    case made(Form, [UInt8])
    case lying(folder: String, path: String, signature: String?)
  }

  private let storage: Storage

  init?(source: CassetteFileSource, offset: UInt32) {
    guard offset > 0 else { return nil }
    storage = .read(source, offset)
  }

  private init(form: Form, bytes: [UInt8]) {
    storage = .made(form, bytes)
  }

  /// Returns a body with these bytes in the first form that preserves them: JSON, text, base64.
  ///
  /// Text over 64 KB and binary data over 4 KB become files when the cassette is written to a folder.
  public static func storing(_ bytes: [UInt8]) -> Body {
    if let (style, newline) = JSONStyle.detect(bytes.span) {
      return Body(form: .json(style: style, newline: newline), bytes: bytes)
    }
    return Body(form: BodyText.isText(bytes) ? .text : .base64, bytes: bytes)
  }

  /// Returns the body of a request to record: an empty body is recorded for `POST`, `PUT` and `PATCH` only.
  package static func sent(_ bytes: [UInt8], with method: HTTPMethod) -> Body? {
    guard bytes.isEmpty else { return storing(bytes) }
    switch method {
    case .post, .put, .patch: return storing([])
    default: return nil
    }
  }

  /// Returns a body that arrived in chunks.
  public static func chunks(_ chunks: [BodyChunk], end: BodyEnd = .complete) -> Body {
    Body(form: .chunks(chunks, end: end), bytes: chunks.flatMap(\.bytes))
  }

  /// Returns a body in a file that belongs to no cassette yet.
  ///
  /// The file is read each time the body is played.
  ///
  /// With a signature, reading fails if the file was written since; nil accepts any version.
  package static func lying(in folder: String, at path: String, as signature: String? = nil) -> Body {
    Body(storage: .lying(folder: folder, path: path, signature: signature))
  }

  /// Returns a body to play that is never stored.
  package static func played(_ bytes: [UInt8]) -> Body { Body(form: .text, bytes: bytes) }

  /// Returns a body that was read from a separate file.
  static func read(_ bytes: [UInt8], from path: String) -> Body { Body(form: .file(path), bytes: bytes) }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// The form in which the bytes are stored.
  public var form: Form {
    switch storage {
    case .lying(_, let path, _): .file(path)
    case .read(let source, let offset): source.form(ofBodyAt: offset)
    case .made(let form, _): form
    }
  }

  /// The media type that the form implies: JSON, or that of the file's name; nil if it is unknown.
  package var impliedType: String? {
    switch form {
    case .json: "application/json"
    case .file(let path): MediaType.forFileExtension(path)
    case .text, .base64, .chunks: nil
    }
  }

  /// The folder and path of the body's file; nil if the body is not in a file, or its folder is unknown.
  package var lyingPlace: (folder: String, path: String)? {
    switch storage {
    case .lying(let folder, let path, _): return (folder, path)
    case .made: return nil
    case .read(let source, let offset):
      guard let folder = source.folder, let path = source.file(ofBodyAt: offset) else { return nil }
      return (folder, path)
    }
  }

  /// The signature that the body's file must have; nil to accept any.
  var lyingSignature: String? {
    if case .lying(_, _, let signature) = storage { signature } else { nil }
  }

  /// The maximum size of the stored text of the body, without reading it; for a file, the size of its path.
  package var storedRoom: Int {
    switch storage {
    case .read(let source, let offset): source.room(after: offset)
    case .made(_, let bytes): bytes.count
    case .lying: 0
    }
  }

  /// Returns the form in which to store these bytes if the body is neither in a file nor in chunks.
  func storingForm(_ bytes: [UInt8]) -> Form {
    // A body made in code has a form; a body in a file written by hand may have a form that does not suit these bytes.
    if case .made(let form, _) = storage { form } else { Body.storing(bytes).form }
  }

  /// Returns the bytes as they were sent, but without a content coding; throws an error if the body's file cannot be
  /// read.
  public func bytes() throws(CassetteError) -> [UInt8] {
    switch storage {
    case .read(let source, let offset): return try source.bytes(ofBodyAt: offset)
    case .made(_, let bytes): return bytes
    case .lying:
      guard let file = try openFile() else { return [] }
      return try file.read(at: 0, count: file.size)
    }
  }
}

/// A chunk of a streamed body, and the delay before it.
public struct BodyChunk: Hashable, Sendable {
  /// The number of seconds since the previous chunk, or since the head.
  public var after: Double
  /// The bytes of the chunk.
  public var bytes: [UInt8]

  /// Creates a chunk.
  public init(after: Double = 0, bytes: [UInt8]) {
    self.after = after
    self.bytes = bytes
  }
}

/// The way a streamed body ended.
public enum BodyEnd: String, CaseIterable, Hashable, Sendable {
  /// The body was complete.
  case complete
  /// The connection was reset.
  case reset
  /// The connection was closed before the body was complete.
  case close
}

extension Body {
  /// True if the body was written to a journal's folder while it arrived, and has no final name yet.
  package var isInJournal: Bool { lyingPlace.map { JournalName.holds($0.path) } ?? false }

  /// Opens the body's file; returns nil if the body is not in a file.
  package func openFile() throws(CassetteError) -> BodyFile? {
    guard let (folder, path) = lyingPlace else { return nil }
    let whole = Folder.join(folder, path)
    let file: BodyFile
    do throws(FileFailure) {
      let expected = lyingSignature.map { BodyFile.Expectation(path: whole, signature: $0) }
      file = try CassetteFileFolder(folder).bodyFile(at: path, expecting: expected)
    } catch {
      throw CassetteError(error, of: whole)
    }
    try file.expected?.check()
    return file
  }

  /// Returns true if the body may have at least this many bytes.
  ///
  /// Decodes nothing, but opens the body's file.
  package func isLong(_ least: Int) -> Bool {
    // For a body in a file, the cassette contains only a path.
    storedRoom >= least || ((try? openFile())?.size ?? 0) >= least
  }

  /// Opens the body's file if it is long enough to be read in parts; returns nil otherwise.
  package func openLongFile() throws(CassetteError) -> BodyFile? {
    guard let file = try openFile(), file.size > BodyFile.longestWhole else { return nil }
    return file
  }
}
