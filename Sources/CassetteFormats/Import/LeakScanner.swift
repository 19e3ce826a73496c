internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteRecording
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// A location that may contain a secret.
package struct Leak: Hashable, Sendable {
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  /// The kind of secret or a description of its location, never its value.
  package var what: String
  /// True if the data could not be scanned.
  package var isOpaque = false
}

/// Scans files for secrets: cassettes, fixtures, recordings of other tools, and any other text.
package struct LeakScanner: Sendable {
  private let redaction: CassetteRedaction

  /// Creates a scanner that ignores the values that `redaction` keeps.
  package init(_ redaction: CassetteRedaction = .standard) { self.redaction = redaction }

  /// Returns all locations in a file that may contain a secret, by line.
  ///
  /// - Parameter path: The file to scan. Binary data is reported as opaque if it may contain text.
  /// - Returns: The locations; empty for files without text.
  /// - Throws: An error if the file cannot be read.
  package func leaks(in path: String) throws(CassetteError) -> [Leak] {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try CassetteFileBytes.read(path: path)
    } catch {
      guard error.isUnsuitable else { throw CassetteError(file: path, message: error.message) }
      if redaction.keepsOpaque { return [] }
      return [Leak(file: path, line: 1, what: "could not be scanned: \(error.message)", isOpaque: true)]
    }
    if bytes.prefix(8192).contains(0), BodyCoding.unwrapping(bytes, charset: nil) == nil {
      // Images contain no text, but archives may.
      guard !redaction.keepsOpaque, let reason = OpaqueBody.reason(bytes, []) else { return [] }
      return [Leak(file: path, line: 1, what: "could not be scanned: \(reason)", isOpaque: true)]
    }
    let text = LinedText(bytes.withoutByteOrderMark)
    var found: Set<Leak> = []
    func report(_ line: Int, _ what: String, isOpaque: Bool = false) {
      found.insert(Leak(file: path, line: line, what: what, isOpaque: isOpaque))
    }
    func name(_ interaction: Interaction, _ line: Int) {
      guard !redaction.keepsOpaque, let reason = interaction.opaqueReason else { return }
      found.insert(Leak(file: path, line: line, what: "a recording could not be scanned: \(reason)", isOpaque: true))
    }
    // In a recording, bodies may be encoded or split, so its exchanges are scanned in addition to the text.
    let search = SecretScanner(redaction)
    var verbatim: [(text: ExchangeText, line: Int)] = []
    // The same few header fields occur in every exchange.
    var harmless: Set<[UInt8]> = []
    func look(_ part: ExchangeText, _ line: Int) {
      let key = part.field.map { Array("\($0):".utf8) + part.bytes } ?? (part.context == .text ? part.bytes : [])
      guard key.isEmpty || !harmless.contains(key) else { return }
      let findings = search.findings(in: part.bytes, part.context)
      if findings.isEmpty, !key.isEmpty, key.count < 1024, harmless.count < 10_000 { harmless.insert(key) }
      for finding in findings {
        let line = finding.isGivenUp ? line : text.line(of: finding.value, from: line)
        report(line, says(finding, in: part.bytes, part.context, part.field), isOpaque: finding.isGivenUp)
      }
    }
    // Recordings are visited in the order of the file, so each search starts at the previous match.
    var reached = 0
    // In source code and prose, a suspicious name alone is weak evidence.
    var isRecording = text.isOfValues
    var isCassetteRead = false
    var unread: Leak?
    do throws(CassetteError) {
      try RecordedExchanges.each(of: path) { interaction, line, isCassette throws(CassetteError) in
        (isRecording, isCassetteRead) = (true, isCassette)
        name(interaction, line)
        try interaction.eachTextWithRules { part in
          let isThere = part.isVerbatim && (isCassette || text.quotes(part.bytes, &reached))
          if isThere { verbatim.append((part, line)) } else { look(part, line) }
        }
      }
    } catch {
      // The text of every file is scanned below. A cassette may also have encoded bodies, and bodies in separate files.
      if Cassette.isCassette(bytes), !redaction.keepsOpaque {
        let what = "its recordings could not be scanned: \(error.message)"
        unread = Leak(file: path, line: max(1, error.line), what: what, isOpaque: true)
      }
    }
    // The lines of a body are a list in a cassette, so that the whole text does not show whether the body is a program.
    let findings = search.findings(in: text.bytes, .body).filter { isRecording && !isCassetteRead || $0.isLikely }
    // Verbatim parts of other files are covered by the scan of the whole text. They are scanned again if there are
    // findings, for better locations.
    if !findings.isEmpty || redaction.hasPaths || isCassetteRead { for (part, line) in verbatim { look(part, line) } }
    let lines = Set(found.map(\.line))
    let encoded = isCassetteRead && !findings.isEmpty ? Self.encodedBodies(in: text.bytes) : []
    for finding in findings where !encoded.contains(where: { $0.contains(finding.range.lowerBound) }) {
      let line = text.line(at: finding.range.lowerBound)
      if finding.isToken || !lines.contains(line) {
        report(line, says(finding, in: text.bytes, .body, nil), isOpaque: finding.isGivenUp)
      }
    }
    if found.isEmpty, let unread { return [unread] }
    return found.sorted { ($0.line, $0.what) < ($1.line, $1.what) }
  }

  /// Returns the lines of base64 in a cassette: the decoded bodies are scanned, and a line may decode to half a value.
  private static func encodedBodies(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    JSONScalars.each(in: bytes) { path, scalar in
      if path.lastName == "base64", !path.contains(.member("json")) { ranges.append(scalar) }
    }
    return ranges
  }

  /// Describes a finding by its location if possible, and never by its value.
  private func says(
    _ finding: SecretScanner.Finding, in bytes: [UInt8], _ context: ScannedText.Context, _ field: String?
  ) -> String {
    if finding.isGivenUp { return "the content could not be scanned: \(finding.what)" }
    if finding.isToken { return "a possible \(finding.what)" }
    if let field { return "the field \(field) in the clear" }
    switch context {
    case .url: return "the parameter \(finding.what) in the clear"
    case .form, .multipart: return "the field \(finding.what) of a form in the clear"
    default: break
    }
    switch finding.notation {
    case .parameter: return "the parameter \(finding.what) in the clear"
    case .pair: return "the field \(finding.what) in the clear"
    case .member, .userInformation, .path: break
    }
    if finding.what.contains("-") || finding.what.first?.isUppercase == true {
      return "the field \(finding.what) in the clear"
    }
    var place: String?
    if bytes.count < 1 << 20 {
      JSONScalars.each(in: bytes) { path, scalar in
        if scalar.contains(finding.range.lowerBound) { place = JSONPath(path).description }
      }
    }
    return "\(place ?? "the value of \(finding.what)") in the clear"
  }
}

/// A text with an index of its lines.
struct LinedText {
  let bytes: [UInt8]
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = bytes.searching { text in
      var starts = [0]
      while let end = text.first(0x0a, from: starts[starts.count - 1]), end + 1 < text.count { starts.append(end + 1) }
      return starts
    }
  }

  /// True if the text consists of names with values, possibly compressed: JSON, a form, or an environment file.
  var isOfValues: Bool {
    if let (_, content) = BodyCoding.unwrapping(bytes, charset: nil) { return LinedText(content).isOfValues }
    let first = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || FormBody.isLikely(bytes) || isEnvironment
  }

  /// True if each line assigns an environment variable or is a comment.
  private var isEnvironment: Bool {
    starts.allSatisfy { start in
      guard let first = bytes[start...].first(where: { $0 != 0x20 }), !Self.unread.contains(first)
      else { return true }
      let line = bytes[start...]
      let name = (line.starts(with: "export ".utf8) ? line.dropFirst(7) : line).prefix { Self.variable.contains($0) }
      return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: "=")
    }
  }

  private static let unread = ByteSet(adding: "#\r\n")
  private static let variable = ByteSet(0x30...0x39, 0x41...0x5a, adding: "_")

  /// Returns true if `text` occurs in the file literally or with the escape sequences of JSON.
  ///
  /// The search starts at `reached`, which is moved to the match.
  func quotes(_ text: [UInt8], _ reached: inout Int) -> Bool {
    guard text.firstIndex(of: [0x5c, 0x5c]) == nil else { return false }
    let escaped = Self.escaped(text)
    let place = bytes.firstIndex(of: escaped, from: reached) ?? bytes.firstIndex(of: escaped)
    guard let place else { return false }
    // A short text may occur anywhere, so its location is not used.
    if text.count > 256 { reached = place }
    return true
  }

  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    Array(JSONString.encode(String(decoding: text, as: UTF8.self)).dropFirst().dropLast())
  }

  /// Returns the line of an offset, counted from 1.
  func line(at offset: Int) -> Int { starts.partitioningIndex { $0 > offset } }

  /// Returns the first line at or after `line` that contains the beginning of a value; `line` if it is not found.
  func line(of value: [UInt8], from line: Int) -> Int {
    let first = min(max(1, line), starts.count)
    // The value as escaped in JSON, as in YAML, and as the beginning of folded text in YAML.
    for text in [Self.escaped(value), value, Array(value.prefix(24))] {
      if let place = bytes.firstIndex(of: text, from: starts[first - 1]) { return self.line(at: place) }
    }
    return first
  }
}
