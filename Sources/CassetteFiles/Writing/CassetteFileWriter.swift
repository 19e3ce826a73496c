import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// Writes a cassette in the one way there is: keys in order, two spaces a level, LF, a line feed at the end.
///
/// A frame of a journal, which no person reads, has neither lines nor spaces.
package struct CassetteFileWriter {
  package private(set) var output: [UInt8] = []
  private var depth = 0
  /// True for each object or array being written, innermost last, that has something in it.
  private var hasItems: [Bool] = []

  private let isCompact: Bool

  /// Creates an empty one, with room for a file of that length.
  package init(room: Int = 0, isCompact: Bool = false) {
    self.isCompact = isCompact
    output.reserveCapacity(room)
  }

  mutating func write(_ cassette: Cassette, ids: [String], files: [[String?]]) throws(CassetteError) {
    open("{")
    if let schema = cassette.schema { member("$schema", schema) }
    member("cassette", token: "1")
    if let origin = cassette.origin { member("origin", origin) }
    if cassette.isProtected { member("recording", "never") }
    if let level = cassette.matching { member("matching", level.rawValue) }
    write(cassette.match)
    write(cassette.resources)
    open("[", as: "interactions")
    for (index, interaction) in cassette.interactions.enumerated() {
      next()
      try write(interaction, id: ids[index], files: files.isEmpty ? [nil, nil] : files[index])
    }
    close("]")
    close("}")
    output.append(0x0a)
  }

  private mutating func write(_ interaction: Interaction, id: String, files: [String?]) throws(CassetteError) {
    open("{")
    if !id.isEmpty { member("id", id) }
    open("{", as: "request")
    member("method", interaction.method.rawValue)
    member("url", interaction.url)
    write(interaction.requestHeaders)
    if let body = interaction.requestBody { try write(body, file: files[0], keepsEmpty: true) }
    close("}")
    switch interaction.outcome {
    case .response(let response):
      open("{", as: "response")
      write(response.interim)
      member("status", token: String(response.status.code))
      if let reason = response.reason, reason != response.status.standardPhrase { member("reason", reason) }
      if response.isTemplate { member("template", token: "true") }
      write(response.headers)
      if let coding = response.coding { member("coding", coding) }
      if let body = response.body { try write(body, file: files[1]) }
      write(response.trailers, as: "trailers")
      close("}")
    case .failure(let failure):
      key("failure")
      line([("code", .token(String(failure.code))), ("name", .text(Array(failure.name.utf8)))])
    }
    let rules = interaction.rules
    if let rules { write(rules.match) }
    write(rules?.replay ?? ReplayRules(), repeating: interaction.repeatPolicy)
    if let recorded = interaction.recorded { write(recorded) }
    close("}")
  }

  private mutating func write(_ recorded: RecordedFacts) {
    guard recorded != RecordedFacts() else { return }
    key("recorded")
    output += "{ ".utf8
    let start = output.count
    if let at = recorded.at { item("at", .string(at), from: start) }
    if let firstByte = recorded.firstByte { item("firstByte", .seconds(firstByte), from: start) }
    if let total = recorded.total { item("total", .seconds(total), from: start) }
    if let by = recorded.by { item("by", .string(by), from: start) }
    if recorded.isCut { item("cut", .token("true"), from: start) }
    output += " }".utf8
  }

  private mutating func write(_ interim: [InterimResponse]) {
    guard !interim.isEmpty else { return }
    open("[", as: "interim")
    for response in interim {
      next()
      open("{")
      member("status", token: String(response.status.code))
      write(response.headers)
      close("}")
    }
    close("]")
  }

  /// Writes fields, one a line; order, case and repeats are kept.
  private mutating func write(_ headers: HTTPHeaders, as name: String = "headers") {
    guard !headers.isEmpty else { return }
    open("[", as: name)
    for field in headers {
      next()
      output.append(UInt8(ascii: "["))
      append(field.name)
      output += ", ".utf8
      append(field.value)
      if field.isLatin1 { output += ", \"\(CassetteFileReader.latin1)\"".utf8 }
      output.append(UInt8(ascii: "]"))
    }
    close("]")
  }

  /// The first form that gives the bytes back, unless they are in a file or came in pieces.
  private mutating func write(_ body: Body, file: String?, keepsEmpty: Bool = false) throws(CassetteError) {
    let form = body.form
    if let path = file { return writeFile(path) }
    switch form {
    case .file(let path):
      return writeFile(path)
    case .chunks(let chunks, let end):
      open("{", as: "body")
      open("[", as: "chunks")
      for chunk in chunks {
        next()
        let content: (String, Value)
        if BodyText.isText(chunk.bytes) {
          content = ("text", .text(chunk.bytes))
        } else {
          content = ("base64", .text(BodyBase64.encode(chunk.bytes)))
        }
        line([("after", .seconds(chunk.after)), content])
      }
      close("]")
      if end != .complete { member("end", end.rawValue) }
      close("}")
    default:
      let bytes = try body.bytes()
      // No body and an empty one are the same on the wire; a request that has none takes any.
      guard keepsEmpty || !bytes.isEmpty else { return }
      open("{", as: "body")
      write(bytes, form: body.storingForm(bytes))
      close("}")
    }
  }

  private mutating func writeFile(_ path: String) {
    open("{", as: "body")
    member("file", path)
    close("}")
  }

  private mutating func write(_ bytes: [UInt8], form: Body.Form) {
    switch form {
    case .json(let style, let newline):
      key("json")
      let value = bytes.span.extracting(0..<(newline ? bytes.count - 1 : bytes.count))
      if isCompact { output.append(value, 0..<value.count) } else { render(value) }
      if style != .compact { member("style", style.rawValue) }
      if newline { member("newline", token: "true") }
    case .text:
      strings("text", BodyText.lines(bytes))
    default:
      let text = BodyBase64.encode(bytes)
      strings("base64", stride(from: 0, to: text.count, by: 76).map { text[$0..<min($0 + 76, text.count)] })
    }
  }

  /// Writes a text as one string, or as one a line.
  private mutating func strings(_ name: String, _ pieces: [ArraySlice<UInt8>]) {
    key(name)
    if pieces.count < 2 { return append(pieces.first ?? []) }
    open("[")
    for piece in pieces {
      next()
      append(piece)
    }
    close("]")
  }
}

/// Tokens and the space between them.
extension CassetteFileWriter {
  enum Value {
    case token(String)
    case string(String)
    case text([UInt8])
    /// The shortest digits that give the number back; `1`, not `1.0`.
    static func seconds(_ seconds: Double) -> Value {
      let text = "\(seconds)"
      return .token(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
  }

  mutating func open(_ bracket: String) {
    output += bracket.utf8
    depth += 1
    hasItems.append(false)
  }

  mutating func open(_ bracket: String, as name: String) {
    key(name)
    open(bracket)
  }

  mutating func close(_ bracket: String) {
    depth -= 1
    if hasItems.popLast() == true { newLine() }
    output += bracket.utf8
  }

  mutating func newLine() {
    if isCompact { return }
    output.append(0x0a)
    output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  mutating func next() {
    if let last = hasItems.indices.last {
      if hasItems[last] { output.append(UInt8(ascii: ",")) }
      hasItems[last] = true
    }
    newLine()
  }

  mutating func key(_ name: String) {
    next()
    append(name)
    output += ": ".utf8
  }

  mutating func member(_ name: String, _ text: String) {
    key(name)
    append(text)
  }

  mutating func member(_ name: String, token: String) {
    key(name)
    output += token.utf8
  }

  /// A small object on one line.
  mutating func line(_ members: [(name: String, value: Value)]) {
    output += "{ ".utf8
    let start = output.count
    for member in members { item(member.name, member.value, from: start) }
    output += " }".utf8
  }

  /// A member of an object on one line that begins at an offset.
  private mutating func item(_ name: String, _ value: Value, from start: Int) {
    if output.count > start { output += ", ".utf8 }
    append(name)
    output += ": ".utf8
    append(value)
  }

  mutating func append(_ value: Value) {
    switch value {
    case .token(let token): output += token.utf8
    case .string(let text): append(text)
    case .text(let bytes): JSONString.append(bytes.span, to: &output)
    }
  }

  /// Text as it is.
  mutating func output(_ text: String) { output += text.utf8 }

  mutating func append(_ text: String) { text.withUTF8Span { JSONString.append($0, to: &output) } }

  /// A JSON value, a member a line.
  mutating func json(_ value: [UInt8]) { render(value.span) }

  private mutating func render(_ value: Span<UInt8>) {
    (isCompact ? JSONStyle.compact : .indent2).render(value, into: &output, depth: depth)
  }

  mutating func append(_ text: ArraySlice<UInt8>) {
    let text = Array(text)
    JSONString.append(text.span, to: &output)
  }
}
