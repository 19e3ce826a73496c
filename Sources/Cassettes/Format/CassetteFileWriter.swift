import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Writes a cassette in canonical form: keys in a fixed order, two spaces per level, LF, and a line feed at the end.
///
/// A compact writer, for the frames of a journal, writes no white space.
struct CassetteFileWriter: ~Copyable {
  private(set) var output: [UInt8] = []
  /// The open objects and arrays, the innermost last.
  private var levels: [Level] = []

  private struct Level {
    let isLine: Bool
    var hasItems = false
  }

  private let isCompact: Bool
  /// The ids to write, by the index of the interaction; if empty, each interaction's own id is written.
  private let ids: [String]
  /// The paths of the body files of each interaction, the request's first.
  private let files: [[String?]]
  /// The index of the current interaction.
  private var index = 0

  /// Creates a writer.
  ///
  /// - `room`: The expected size of the file in bytes.
  /// - `isCompact`: True to omit white space.
  /// - `ids`: The ids to write, by the index of the interaction. By default, each interaction's own id.
  /// - `files`: The paths of the body files of each interaction. By default, bodies are part of the cassette.
  init(room: Int = 0, isCompact: Bool = false, ids: [String] = [], files: [[String?]] = []) {
    (self.isCompact, self.ids, self.files) = (isCompact, ids, files)
    output.reserveCapacity(room)
  }

  /// Writes a cassette and a line feed.
  mutating func write(_ cassette: Cassette) throws(CassetteError) {
    try write(Grammar.cassette, cassette)
    output.append(0x0a)
  }

  /// Writes an object with the keys of a table.
  mutating func write<Input, Output>(_ table: ObjectTable<Input, Output>, _ value: Output) throws(CassetteError) {
    open("{", inLine: table.isLine(value))
    for key in table.keys { try key.write(&self, value) }
    close("}")
  }

  mutating func write(_ interaction: Interaction, at index: Int) throws(CassetteError) {
    self.index = index
    try write(Grammar.interaction, interaction)
  }

  /// Returns the id to write for the current interaction.
  func id(of interaction: Interaction) -> String { ids.isEmpty ? interaction.id : ids[index] }

  mutating func write(_ body: Body, isRequest: Bool) throws(CassetteError) {
    let file = files.isEmpty ? nil : files[index][isRequest ? 0 : 1]
    guard let object = try BodyObject(body, file: file, keepsEmpty: isRequest) else { return }
    key("body")
    try write(Grammar.body, object)
  }

  /// Writes header fields, one per line, with their order, case and repetitions.
  mutating func write(_ headers: HTTPHeaders) {
    open("[")
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

  /// Writes header fields as a member, unless there are none and an empty list has no meaning.
  mutating func write(_ headers: HTTPHeaders, as name: String, keepsEmpty: Bool = false) {
    guard !headers.isEmpty || keepsEmpty else { return }
    key(name)
    write(headers)
  }

  /// Writes a text as one string, or as an array with one string per line.
  mutating func append(pieces: [ArraySlice<UInt8>]) {
    if pieces.count < 2 { return append(pieces.first ?? []) }
    open("[")
    for piece in pieces {
      next()
      append(piece)
    }
    close("]")
  }
}

/// Writing tokens and white space.
extension CassetteFileWriter {
  /// Opens an object or array.
  ///
  /// By default, each item is written on a separate line.
  mutating func open(_ bracket: String, inLine isLine: Bool = false) {
    output += bracket.utf8
    if isLine { output.append(0x20) }
    levels.append(Level(isLine: isLine))
  }

  mutating func open(_ bracket: String, as name: String) {
    key(name)
    open(bracket)
  }

  mutating func close(_ bracket: String) {
    if let level = levels.popLast() {
      if level.isLine { output.append(0x20) } else if level.hasItems { newLine() }
    }
    output += bracket.utf8
  }

  private mutating func newLine() {
    if isCompact { return }
    output.append(0x0a)
    output.append(contentsOf: repeatElement(0x20, count: 2 * levels.count))
  }

  /// Writes the separator and the white space before an item.
  mutating func next() {
    guard let last = levels.last else { return }
    levels[levels.count - 1].hasItems = true
    if last.hasItems { output.append(UInt8(ascii: ",")) }
    if !last.isLine { return newLine() }
    if last.hasItems { output.append(0x20) }
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
    self.token(token)
  }

  mutating func token(_ text: String) { output += text.utf8 }

  mutating func number(_ number: Double) { token(Self.text(of: number)) }

  /// Returns the shortest digits that represent the number: `1`, not `1.0`.
  static func text(of number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  mutating func append(_ text: String) { text.withUTF8Span { JSONString.append($0, to: &output) } }

  mutating func append(_ text: ArraySlice<UInt8>) {
    let text = Array(text)
    JSONString.append(text.span, to: &output)
  }

  /// Writes strings on one line.
  mutating func append(_ texts: [String]) {
    output.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { output += ", ".utf8 }
      append(text)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Writes a JSON value, each member on a separate line.
  mutating func json(_ value: [UInt8]) {
    (isCompact ? JSONStyle.compact : .indent2).render(value.span, into: &output, depth: levels.count)
  }

  /// Writes the JSON of a body, unchanged if the writer is compact.
  mutating func body(_ value: [UInt8]) {
    if isCompact { output += value } else { json(value) }
  }
}
