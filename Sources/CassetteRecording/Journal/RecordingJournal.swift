package import CassetteHTTP
package import CassetteSecrets
package import Cassettes

/// Keeps every finished exchange on the disk, beside the cassette, until the cassette itself is written.
///
/// Each is redacted with what is known by then: its secrets have the numbers that stay, and are not needed when it is folded
/// into the cassette at the end, or after a crash. A journal belongs to one process at a time, and is a file that only its
/// owner can read. Whoever finds one that nobody holds merges it into its cassette: ``recover(beside:)``.
package struct RecordingJournal: Sendable {
  /// The journal's file.
  package let path: String
  let cassette: String
  let file: JournalFile
  /// The cassette's own file, locked for as long as this records into it; nil when there was none.
  private let held: Int32?
  /// Long bodies that are being written, by the numbers of their exchanges.
  private var bodies: [Int: JournalBody] = [:]
  private let adds: Bool
  private(set) var pass: RedactionPass
  /// A pass that knows no secret.
  private let blank: RedactionPass
  private let scanner: SecretScanner
  private var pending: [UInt8] = []
  /// The memory of what was written last.
  private var spare: [UInt8] = []
  /// Values of known shapes that no rule took out, and that were taken out all the same.
  package private(set) var tokens: Set<String> = []
  /// The number of those that the pass has told of.
  private var met = 0
  /// The recordings of the cassette, whose secrets keep their numbers.
  private var numbers: JournalNumbers
  /// The names of fields that were looked at.
  private var names: Set<String> = []

  /// Opens the journal of a cassette.
  ///
  /// - Parameters:
  ///   - cassette: The cassette's path.
  ///   - redaction: How secrets are taken out.
  ///   - adds: Whether what is missing is added, and nothing replaced.
  /// - Throws: When another process records into the cassette, or what the system said.
  package init(beside cassette: String, redaction: CassetteRedaction, adds: Bool = false) throws(CassetteError) {
    self.adds = adds
    // Whoever comes by a link comes to the same file, and to the same journal.
    self.cassette = CassetteFileBytes.resolvingLink(cassette)
    path = self.cassette + JournalName.suffix
    do throws(FileFailure) {
      file = try JournalFile(creating: path)
    } catch {
      throw CassetteError(error, of: path)
    }
    do throws(FileFailure) {
      // Whoever comes by a hard link has another journal, and the same file.
      held = try JournalFile.holding(self.cassette)
    } catch {
      file.remove()
      file.close()
      throw CassetteError(error, of: path)
    }
    JournalBodies.remove(besideFile: self.cassette)
    pass = RedactionPass(redaction, keepsReadings: false)
    blank = pass
    scanner = SecretScanner(redaction)
    let base = (try? CassetteFileBytes.read(path: cassette)) ?? []
    numbers = JournalNumbers(base, file: cassette)
    pass.table.reserve(numbers.all)
    pass.table.spellings = numbers.spellings
    var bytes = JournalFrame.head
    JournalFrame.append(base, number: JournalFrame.base, to: &bytes)
    do throws(CassetteError) { try writer.write(bytes) } catch {
      remove()
      throw error
    }
  }

  /// Scans the texts of an exchange, which takes long for long ones, so that ``append(_:number:readings:)`` need not.
  ///
  /// It knows nothing of the journal: a copy will do, while others append.
  package func scanning(_ interaction: Interaction) -> RedactionPass.Readings {
    var pass = blank
    // An unreadable body is reported by `append`.
    try? pass.collect(interaction)
    return pass.readings
  }

  /// Redacts an exchange and puts it behind those that wait to be written.
  ///
  /// - Parameters:
  ///   - interaction: The exchange as it was.
  ///   - number: Its place among all of them, which is not the order in which they end.
  ///   - readings: The result of ``scanning(_:)``, if the exchange was scanned.
  /// - Returns: The exchange as the journal has it, for ``folding(_:)``.
  /// - Throws: What cannot be kept: a body that cannot be read, text that no cassette can hold.
  @discardableResult
  package mutating func append(
    _ interaction: Interaction, number: Int, readings: RedactionPass.Readings? = nil
  ) throws(CassetteError) -> Interaction {
    // A body that lies here already was looked through on its way.
    let body = interaction.responseBody.flatMap { $0.isInJournal ? $0 : nil }
    var interaction = interaction
    if body != nil { interaction.responseBody = nil }
    if let readings { pass.prepare(readings) }
    try pass.collect(interaction)
    if pass.holdsAny { try numbers.adopt(for: interaction, &pass) }
    var redacted = pass.holdsAny ? try pass.redacting(interaction) : interaction
    if body != nil { redacted.responseBody = body }
    for token in pass.tokens.dropFirst(met) { tokens.insert(String(decoding: token.value, as: UTF8.self)) }
    met = pass.tokens.count
    let bytes = try JournalFrame.content(of: redacted)
    // As it is written it says all there is to see, but for what is coded or cut into lines. What was looked through, had
    // nothing like a token and stayed as it was has none now either.
    let isPlain = Self.isPlain(redacted.requestBody) && Self.isPlain(body == nil ? redacted.responseBody : nil)
    let mayHold = meetsName(of: redacted) || pass.seen.token || pass.seen.replaced.contains(where: scanner.holdsToken)
    if !isPlain || mayHold && scanner.holdsToken(bytes), let left = try scanner.findings(in: redacted).first {
      throw CassetteError(
        file: path, message: "\(left.interaction), \(left.part): what looks like a \(left.kind) would be kept",
        suggestion: "let it pass, if it is none, with --keep")
    }
    JournalFrame.append(bytes, number: number, adds: adds, to: &pending)
    return redacted
  }

  /// Tells if an exchange has a field of a name that was not looked at: secrets are taken out of values alone.
  private mutating func meetsName(of interaction: Interaction) -> Bool {
    var headers = [interaction.requestHeaders]
    if let response = interaction.response {
      headers += [response.headers, response.trailers] + response.interim.map(\.headers)
    }
    if names.count > 1_000 { names = [] }
    let before = names.count
    for fields in headers { for field in fields { names.insert(field.name) } }
    return names.count > before
  }

  /// The secrets known by now.
  package var secrets: StreamedRedaction { StreamedRedaction(pass) }

  /// Takes in the secrets of a field that was sent and is not recorded.
  package mutating func learn(_ field: HTTPHeaders.Field) { tokens.formUnion(pass.learn(field.name, field.value)) }

  /// Tells whether a body stands in a cassette's file as one text.
  private static func isPlain(_ body: Body?) -> Bool {
    switch body?.form {
    case nil, .json: true
    case .text: (try? body?.bytes().contains(10)) == false
    case .base64, .chunks, .file: false
    }
  }

  /// Takes what waits to be written, for ``Writer/write(_:)``.
  package mutating func takePending() -> [UInt8] {
    defer { (pending, spare) = (spare, []) }
    return pending
  }

  /// Takes back the memory of what is written.
  package mutating func recycle(_ written: inout [UInt8]) {
    guard written.capacity <= 1 << 20 else { return }
    written.removeAll(keepingCapacity: true)
    swap(&spare, &written)
  }

  /// Brings bytes to the disk; by one thread at a time, while others go on appending.
  package var writer: Writer { Writer(file: file) }

  // MARK: Long bodies

  /// Begins a body that is too long to be kept in memory.
  ///
  /// - Parameters:
  ///   - interaction: The exchange as far as it is known: its secrets are looked for in the body.
  ///   - number: Its place among all of them.
  /// - Throws: What the system said.
  package mutating func beginBody(of interaction: Interaction, number: Int) throws(CassetteError) {
    try pass.collect(interaction)
    let type = interaction.response?.headers.mediaType
    let isForm = type?.subtype == "x-www-form-urlencoded"
    let old = try numbers.ofBody(for: interaction, pass)
    bodies[number] = try failing { () throws(FileFailure) in
      try JournalBody(number, besideFile: cassette, isForm: isForm, like: old)
    }
  }

  /// Takes what came next of a long body.
  ///
  /// - Throws: What the system said; the body is gone then.
  package mutating func append(_ bytes: [UInt8], toBody number: Int) throws(CassetteError) {
    guard var body = bodies.removeValue(forKey: number) else { return }
    do throws(FileFailure) {
      try body.append(bytes, &pass)
    } catch {
      body.remove()
      throw CassetteError(error, of: path)
    }
    bodies[number] = body
  }

  /// Ends a long body.
  ///
  /// - Returns: The body, for its exchange; nil when there is none.
  /// - Throws: What the system said; the body is gone then.
  package mutating func endBody(_ number: Int) throws(CassetteError) -> Body? {
    guard var body = bodies.removeValue(forKey: number) else { return nil }
    do throws(FileFailure) {
      try body.finish(&pass)
    } catch {
      body.remove()
      throw CassetteError(error, of: path)
    }
    body.close()
    return .lying(in: Folder.parent(of: cassette), at: body.path)
  }

  /// Removes a long body that will never be whole.
  package mutating func abandonBody(_ number: Int) {
    bodies.removeValue(forKey: number)?.remove()
  }

  func failing<T>(_ act: () throws(FileFailure) -> T) throws(CassetteError) -> T {
    do throws(FileFailure) {
      return try act()
    } catch {
      throw CassetteError(error, of: path)
    }
  }

  /// Notes that all of it is in a file that is written next: it must not be merged again.
  ///
  /// - Parameter cassette: The file's bytes.
  /// - Throws: What the system said.
  package func noteFolded(into cassette: [UInt8]) throws(CassetteError) {
    try writer.write(JournalFrame.note(foldedInto: cassette))
  }

  /// Removes the journal: all of it is in the cassette.
  package func remove() {
    file.remove()
    JournalBodies.remove(besideFile: cassette)
    close()
  }

  /// Closes the journal and leaves it on the disk, for the next recording to recover.
  package func close() {
    file.close()
    if let held { FileBytes.unlockAndClose(held) }
  }
}

extension RecordingJournal {
  /// The way of a journal's bytes to the disk.
  package struct Writer: Sendable {
    fileprivate let file: JournalFile

    /// Writes bytes: they survive this process, and what fails leaves nothing half written.
    ///
    /// - Parameter bytes: Whole exchanges.
    /// - Throws: What the system said.
    package func write(_ bytes: [UInt8]) throws(CassetteError) {
      guard !bytes.isEmpty else { return }
      do throws(FileFailure) { try file.append(bytes) } catch {
        throw CassetteError(error, of: file.path)
      }
    }

    /// Waits until all that was written is on the disk: from then on it survives a loss of power.
    ///
    /// - Throws: What the system said.
    package func synchronise() throws(CassetteError) {
      do throws(FileFailure) { try file.synchronise() } catch {
        throw CassetteError(error, of: file.path)
      }
    }
  }
}
