package import CassetteHTTP
public import CassetteJSON
internal import CassetteSystem

/// A body and how it is stored.
///
/// One that was read from a file is an offset into it, decoded when asked for.
public struct Body: Sendable {
  /// The form in which a cassette stores the bytes.
  public enum Form: Hashable, Sendable {
    /// As a JSON value; on replay its tokens are laid out in this style, with a line feed after them if there was one.
    case json(style: JSONStyle, newline: Bool)
    /// As text.
    case text
    /// As base64.
    case base64
    /// As a file of its own, relative to the cassette's folder.
    case file(String)
    /// As pieces that arrived one after the other.
    case chunks([BodyChunk], end: BodyEnd)
  }

  private enum Storage: Sendable {
    case read(CassetteFileSource, UInt32)
    case made(Form, [UInt8])
    case lying(folder: String, path: String, signature: String?)
  }

  private let storage: Storage

  package init?(source: CassetteFileSource, offset: UInt32) {
    guard offset > 0 else { return nil }
    storage = .read(source, offset)
  }

  private init(form: Form, bytes: [UInt8]) {
    storage = .made(form, bytes)
  }

  /// Returns a body of these bytes, in the first form that gives them back: JSON, text, base64.
  ///
  /// Text over 64 KB and binary over 4 KB become files when the cassette is written to a folder.
  public static func storing(_ bytes: [UInt8]) -> Body {
    if let (style, newline) = JSONStyle.detect(bytes.span) {
      return Body(form: .json(style: style, newline: newline), bytes: bytes)
    }
    return Body(form: BodyText.isText(bytes) ? .text : .base64, bytes: bytes)
  }

  /// Returns the body of a request to keep: an empty one of a `POST`, `PUT` or `PATCH`, but none of other methods.
  package static func sent(_ bytes: [UInt8], with method: HTTPMethod) -> Body? {
    guard bytes.isEmpty else { return storing(bytes) }
    switch method {
    case .post, .put, .patch: return storing([])
    default: return nil
    }
  }

  /// Returns a body that arrived in pieces.
  public static func chunks(_ chunks: [BodyChunk], end: BodyEnd = .complete) -> Body {
    Body(form: .chunks(chunks, end: end), bytes: chunks.flatMap(\.bytes))
  }

  /// Returns a body in a file that is in no cassette yet, which is read each time it plays.
  ///
  /// With a signature, a file that was written to since cannot be read; nil takes it as it is.
  package static func lying(in folder: String, at path: String, as signature: String? = nil) -> Body {
    Body(storage: .lying(folder: folder, path: path, signature: signature))
  }

  /// Returns a body that is played and never stored.
  package static func played(_ bytes: [UInt8]) -> Body { Body(form: .text, bytes: bytes) }

  /// Returns a body that was read from a file of its own.
  package static func read(_ bytes: [UInt8], from path: String) -> Body { Body(form: .file(path), bytes: bytes) }

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

  /// The place of the body's file; nil when it is in none, or was read from nowhere.
  package var lyingPlace: (folder: String, path: String)? {
    switch storage {
    case .lying(let folder, let path, _): return (folder, path)
    case .made: return nil
    case .read(let source, let offset):
      guard let folder = source.folder, let path = source.file(ofBodyAt: offset) else { return nil }
      return (folder, path)
    }
  }

  /// The signature of the body's file when it was found; nil when that does not matter.
  var lyingSignature: String? {
    if case .lying(_, _, let signature) = storage { signature } else { nil }
  }

  /// The most bytes that the stored text of the body can have, known without reading it; for a file, of its name.
  var storedRoom: Int {
    switch storage {
    case .read(let source, let offset): source.room(after: offset)
    case .made(_, let bytes): bytes.count
    case .lying: 0
    }
  }

  /// Tells the form in which these bytes would be stored, when they are neither in a file nor in pieces.
  package func storingForm(_ bytes: [UInt8]) -> Form {
    // One that was made has it; what a person wrote may have another.
    if case .made(let form, _) = storage { form } else { Body.storing(bytes).form }
  }

  /// Returns the bytes as they were on the wire, but for a coding that was undone; throws when its file cannot be read.
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

/// A piece of a streamed body, and the gap before it.
public struct BodyChunk: Hashable, Sendable {
  /// The number of seconds since the piece before it, or since the head.
  public var after: Double
  /// The piece's bytes.
  public var bytes: [UInt8]

  /// Creates a piece.
  public init(after: Double = 0, bytes: [UInt8]) {
    self.after = after
    self.bytes = bytes
  }
}

/// The way a streamed body ended.
public enum BodyEnd: String, CaseIterable, Hashable, Sendable {
  /// As it should.
  case complete
  /// With the connection broken off.
  case reset
  /// With the connection closed before the body was complete.
  case close
}
