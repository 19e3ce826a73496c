internal import CassetteHTTP
package import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// Writes every finished exchange to the disk, next to the cassette, until the cassette is written.
///
/// Each exchange is redacted with the secrets known at that time. Alias numbers are final, so that the secrets are not
/// needed when the journal is merged into the cassette, at the end or after a crash. A journal is used by one process
/// at a time, and only its owner can read the file. A process that finds an unlocked journal merges it into its
/// cassette: ``recover(beside:)``.
package struct RecordingJournal: Sendable {
  /// The path of the journal's file.
  let path: String
  let cassette: String
  let file: JournalFile
  /// The descriptor of the cassette's file, locked during the recording; nil if the file did not exist.
  private let held: Int32?
  private let adds: Bool
  /// The redaction with the secrets known so far.
  var pass: RedactionPass
  /// A pass without known secrets.
  private let blank: RedactionPass
  private let scanner: SecretScanner
  private var pending: [UInt8] = []
  /// A reusable buffer, from the previous write.
  private var spare: [UInt8] = []
  /// The values of known token shapes that no rule covers, and that were redacted nevertheless.
  private(set) var tokens: Set<String> = []
  /// The number of the pass's tokens that were already added to `tokens`.
  private var met = 0
  /// The alias numbers of the existing cassette, which its secrets keep.
  private var numbers: JournalNumbers
  /// The field names that were scanned.
  private var names: Set<String> = []

  /// Opens the journal of a cassette.
  ///
  /// - `adds`: True if missing recordings are added and none are replaced.
  package init(beside cassette: String, redaction: CassetteRedaction, adds: Bool = false) throws(CassetteError) {
    self.adds = adds
    // Resolving links gives all symbolic links to a cassette the same journal.
    self.cassette = CassetteFileBytes.resolvingLink(cassette)
    path = self.cassette + JournalName.suffix
    do throws(FileFailure) {
      file = try JournalFile(creating: path)
    } catch {
      throw CassetteError(error, of: path)
    }
    do throws(FileFailure) {
      // Hard links have different journals but the same cassette file, so the file is locked as well.
      held = try JournalFile.holding(self.cassette)
    } catch {
      file.remove()
      file.close()
      throw CassetteError(error, of: path)
    }
    JournalBodies.remove(besideFile: self.cassette)
    pass = RedactionPass(redaction)
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

  /// A redacted exchange on its way to the journal.
  package struct Draft: Sendable {
    /// The exchange with aliases.
    var interaction: Interaction
    /// True if a value was redacted only because of its shape.
    var hasToken: Bool
    /// True if a note replaces a body, because the search for secrets took too many steps.
    var isGivenUp: Bool
    /// Messages about parts that are not usable without their secrets.
    var warnings: [String]
    /// The values that look like tokens and are kept.
    fileprivate var keptGuesses: Set<[UInt8]>
    /// The content that may contain a token.
    fileprivate var unchecked: [[UInt8]]
    /// True if the whole exchange is checked for tokens.
    fileprivate var isUnchecked: Bool
    /// The exchange as text.
    fileprivate var bytes: [UInt8] = []
  }

  /// A value that changes with each new secret and with each recording that was requested again.
  var stamp: [Int] { pass.stamp + [numbers.requested] }

  /// Takes over the secrets found in a changed copy, unless the journal has changed since it was copied.
  ///
  /// - `copy`: The changed copy, which gets the replaced values of the journal.
  ///
  /// Returns false if the journal has changed, and the copy is of no use.
  mutating func takeOver(_ copy: inout RecordingJournal, from stamp: [Int]) -> Bool {
    guard self.stamp == stamp else { return false }
    pass.takeOver(&copy.pass)
    swap(&numbers, &copy.numbers)
    tokens.formUnion(copy.tokens)
    names.formUnion(copy.names)
    met = copy.met
    return true
  }

  /// Redacts an exchange and adds it to the exchanges to be written.
  ///
  /// - `number`: The number of the exchange in the order of requests, which differs from the order of completion.
  /// - `readings`: The scan results of the exchange if another pass scanned it, which is slow for long bodies.
  @discardableResult
  package mutating func append(
    _ interaction: Interaction, number: Int, readings: RedactionPass.Readings? = nil
  ) throws(CassetteError) -> Interaction {
    let redacted = try redacting(interaction, readings: readings)
    let draft = try checked(redacted)
    append(draft, number: number)
    return draft.interaction
  }

  /// Redacts an exchange with the secrets known so far.
  ///
  /// - `readings`: The scan results of the exchange if another pass scanned it, which is slow for long bodies.
  mutating func redacting(
    _ interaction: Interaction, readings: RedactionPass.Readings? = nil
  ) throws(CassetteError) -> Draft {
    // A body in the journal was redacted while it was received.
    let body = interaction.responseBody.flatMap { $0.isInJournal ? $0 : nil }
    var interaction = interaction
    if body != nil { interaction.responseBody = nil }
    if let readings { pass.collect(readings) } else { try pass.collect(interaction) }
    if pass.holdsAny { try numbers.adopt(for: interaction, &pass) }
    var redacted = pass.holdsAny ? try pass.redacting(interaction) : interaction
    if body != nil { redacted.responseBody = body }
    let before = tokens.count
    for token in pass.tokens.dropFirst(met) { tokens.insert(String(decoding: token.value, as: UTF8.self)) }
    met = pass.tokens.count
    return Draft(
      interaction: redacted, hasToken: tokens.count > before, isGivenUp: pass.isGivenUp, warnings: pass.warnings,
      keptGuesses: pass.keptGuesses, unchecked: pass.unchecked,
      isUnchecked: meetsName(of: redacted) || !pass.isOn)
  }

  /// Returns a redacted exchange as text, after a check for tokens, which is slow for long bodies.
  ///
  /// This method uses no state of the journal, so it may be called on a copy while others append.
  func checked(_ draft: Draft) throws(CassetteError) -> Draft {
    var draft = draft
    let redacted = draft.interaction
    let scanner = scanner.keeping(draft.keptGuesses)
    draft.bytes = try JournalFrame.content(of: redacted)
    // The written bytes contain all text except for encoded or divided bodies. An exchange that was scanned without
    // finding a token, and is unchanged, needs no second scan.
    let body = redacted.responseBody
    let isPlain = Self.isPlain(redacted.requestBody) && Self.isPlain(body?.isInJournal == true ? nil : body)
    let mayHold = draft.isUnchecked || draft.unchecked.contains(where: scanner.holdsToken)
    if !isPlain || mayHold && scanner.holdsToken(draft.bytes), let left = try scanner.findings(in: redacted).first {
      throw CassetteError(
        file: path, message: "\(left.interaction), \(left.part): a possible \(left.kind) was not removed",
        suggestion: "if it is not a secret, keep it with --keep")
    }
    return draft
  }

  /// Adds a checked exchange to the exchanges to be written.
  mutating func append(_ draft: Draft, number: Int) {
    JournalFrame.append(draft.bytes, number: number, adds: adds, to: &pending)
  }

  /// True if the exchange has a new field name: names are checked for tokens, but not redacted.
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

  /// Adds the secrets of a field that was sent but is not recorded.
  mutating func learn(_ field: HTTPHeaders.Field) { tokens.formUnion(pass.learn(field.name, field.value)) }

  /// True if a cassette's file contains the body as one string.
  private static func isPlain(_ body: Body?) -> Bool {
    switch body?.form {
    case nil, .json: true
    case .text: (try? body?.bytes().contains(10)) == false
    case .base64, .chunks, .file: false
    }
  }

  /// Returns and clears the bytes to be written, for ``Writer/write(_:)``.
  package mutating func takePending() -> [UInt8] {
    defer { (pending, spare) = (spare, []) }
    return pending
  }

  /// Returns a written buffer for reuse.
  mutating func recycle(_ written: inout [UInt8]) {
    guard written.capacity <= 1 << 20 else { return }
    written.removeAll(keepingCapacity: true)
    swap(&spare, &written)
  }

  /// Writes bytes to the disk; used by one thread at a time, while other threads append.
  var writer: Writer { Writer(file: file) }

  // MARK: Long bodies

  /// Starts a body that is too long to be kept in memory.
  ///
  /// - `interaction`: The exchange as far as it is known; its secrets are redacted in the body.
  mutating func beginBody(of interaction: Interaction, number: Int) throws(CassetteError) -> JournalBody {
    try pass.collect(interaction)
    let type = interaction.response?.headers.mediaType
    let isForm = type?.subtype == "x-www-form-urlencoded"
    let old = try numbers.ofBody(for: interaction, pass)
    return try failing { () throws(FileFailure) in
      try JournalBody(number, besideFile: cassette, isForm: isForm, blank, like: old)
    }
  }

  func failing<T>(_ act: () throws(FileFailure) -> T) throws(CassetteError) -> T {
    do throws(FileFailure) {
      return try act()
    } catch {
      throw CassetteError(error, of: path)
    }
  }

  /// Records that all exchanges are in a file that is written next, so that they are not merged again.
  func noteFolded(into cassette: [UInt8]) throws(CassetteError) {
    try writer.write(JournalFrame.note(foldedInto: cassette))
  }

  /// Removes the journal after all exchanges were merged into the cassette.
  package func remove() {
    file.remove()
    JournalBodies.remove(besideFile: cassette)
    close()
  }

  /// Closes the journal without removing it, so that the next recording recovers it.
  package func close() {
    file.close()
    if let held { FileBytes.unlockAndClose(held) }
  }

  /// Writes the bytes of a journal to the disk.
  package struct Writer: Sendable {
    fileprivate let file: JournalFile

    /// Appends bytes, which survive the end of this process; a failed write leaves no partial frame.
    func write(_ bytes: [UInt8]) throws(CassetteError) {
      guard !bytes.isEmpty else { return }
      do throws(FileFailure) { try file.append(bytes) } catch {
        throw CassetteError(error, of: file.path)
      }
    }

    /// Waits until all written bytes are on the disk, so that they survive a power failure.
    func synchronise() throws(CassetteError) {
      do throws(FileFailure) { try file.synchronise() } catch {
        throw CassetteError(error, of: file.path)
      }
    }
  }

  /// The result of recovering an abandoned journal.
  package struct Recovery: Sendable {
    /// The cassette's path.
    let cassette: String
    /// The number of exchanges in the journal.
    package let exchanges: Int
    /// The changes in the cassette.
    package let changes: Recording.Changes
    /// The new path of a journal with unreadable parts, or nil; its long bodies are not kept.
    package let damaged: String?
  }

  /// Merges an abandoned journal into its cassette, and removes the journal.
  ///
  /// Recordings that are not in the journal are kept, because it covers only part of a session.
  ///
  /// - Parameter cassette: The path of the cassette, whose file need not exist.
  /// - Returns: The result, or nil if there is no journal or its owner is still running.
  /// - Throws: ``CassetteError`` if the cassette cannot be read or written; the journal is kept in this case.
  package static func recover(beside cassette: String) throws(CassetteError) -> Recovery? {
    guard Folder.resolvedKind(of: CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix) == .file else {
      return nil
    }
    return try CassetteFileLock.holding(cassette) { () throws(CassetteError) in try recoverInTurn(beside: cassette) }
  }

  private static let remedy = "make its folder writable, or leave the journal unmerged: serve --read-only"

  private static func recoverInTurn(beside cassette: String) throws(CassetteError) -> Recovery? {
    let target = CassetteFileBytes.resolvingLink(cassette)
    let path = target + JournalName.suffix
    let bytes: [UInt8]
    let file: JournalFile
    do throws(FileFailure) {
      guard let found = try JournalFile(taking: path) else { return nil }
      file = found
      bytes = try file.read()
    } catch {
      throw CassetteError(file: path, message: error.message, suggestion: remedy)
    }
    defer { file.close() }
    guard JournalFrame.isJournal(bytes) else {
      throw CassetteError(
        file: path, message: "is not a journal of this version and is not changed",
        suggestion: "if another version wrote it, recover it with that version; otherwise move it elsewhere")
    }
    let journal = JournalFrame.read(bytes)
    let there = (try? CassetteFileBytes.read(path: cassette)) ?? []
    if let folded = journal.frames.last(where: { $0.number == JournalFrame.folded }),
      folded.bytes == JournalFrame.seal(of: there)
    {
      // The process was killed after writing the cassette and before removing the journal.
      file.remove()
      JournalBodies.remove(besideFile: target)
      return nil
    }
    let frames = journal.frames.filter { $0.number >= 0 }.sorted { $0.number < $1.number }
    let (exchanges, isLost) = Self.exchanges(frames, target)
    var changes = Recording.Changes()
    if !exchanges.isEmpty {
      let old =
        Folder.resolvedKind(of: cassette) == .missing
        ? Cassette(name: CassetteFile.name(ofFile: cassette)).forNewFile(cassette)
        : try CassetteFile.read(path: cassette)
      let base = journal.frames.first { $0.number == JournalFrame.base }?.bytes
      var edited: Set<String> = []
      if let base, base != there {
        let before =
          base.isEmpty
          ? Cassette(name: old.name) : try CassetteFile.read(bytes: base, name: old.name, file: target)
        edited = old.edited(since: before)
      }
      var fold = RecordingFold(base: old)
      fold.edited = edited
      fold.isLooked = true
      let part = RecordingPart(
        mode: frames.contains(where: \.adds) ? .recordMissing : .record, redaction: .standard, sent: exchanges,
        journal: RedactionPass(.standard))
      let merged = try fold.merged([part])
      changes = merged.changes
      // The journal covers only part of a session.
      changes.unchanged += changes.unasked.count
      changes.unasked = []
      CassetteFileLock.removeLeftovers(of: cassette)
      do throws(CassetteError) {
        if !changes.isEmpty {
          try CassetteFile.write(merged.cassette, to: cassette) { bytes throws(CassetteError) in
            // A damaged journal is kept unchanged.
            guard !journal.isDamaged, !isLost else { return }
            do throws(FileFailure) { try file.append(JournalFrame.note(foldedInto: bytes)) } catch {
              throw CassetteError(error, of: path)
            }
          }
        }
      } catch {
        var error = error
        error.suggestion = error.suggestion ?? remedy
        throw error
      }
    }
    // The damage was not caused by a crash; the file is kept so that a person can try to read it.
    let kept = journal.isDamaged || isLost ? file.setAside() : nil
    if kept == nil { file.remove() }
    JournalBodies.remove(besideFile: target)
    return Recovery(cassette: cassette, exchanges: exchanges.count, changes: changes, damaged: kept)
  }

  /// Reads the recorded exchanges from the journal.
  ///
  /// Throws ``CassetteError`` if reading fails or exchanges are missing; the journal is kept in this case.
  func content(of count: Int) throws(CassetteError) -> RecordingFile.Journaled {
    let bytes = try failing { () throws(FileFailure) in try file.read() }
    let frames = JournalFrame.read(bytes).frames.filter { $0.number >= 0 }.sorted { $0.number < $1.number }
    let exchanges = Self.exchanges(frames, cassette).all
    guard exchanges.count >= count else {
      let count = count - exchanges.count
      throw CassetteError(
        file: path, message: "\(count) of the recorded exchanges \(count == 1 ? "is" : "are") missing from the journal",
        suggestion: "record again; the remaining exchanges are merged then, unless the journal is changed or removed")
    }
    return RecordingFile.Journaled(exchanges: exchanges, pass: pass)
  }

  /// Returns exchanges of this journal with secrets redacted that were found after the exchanges were written.
  func folding(_ exchanges: [Interaction]) -> [Interaction] {
    var pass = pass
    pass.table.seekRedacted()
    return exchanges.map { (try? pass.redacting($0, onlyKnown: true)) ?? $0 }
  }

  /// Parses the exchanges in the frames of a journal.
  ///
  /// - Returns: The exchanges, and whether an exchange is unreadable because its body is missing.
  static func exchanges(_ frames: [JournalFrame], _ file: String) -> (all: [Interaction], isLost: Bool) {
    var exchanges: [Interaction] = []
    var isLost = false
    for frame in frames {
      do throws(CassetteError) {
        exchanges += try CassetteFile.read(bytes: frame.bytes, name: "journal", file: file).interactions
      } catch {
        isLost = true
      }
    }
    // Ids are assigned by the cassette.
    for index in exchanges.indices { exchanges[index].id = "" }
    return (exchanges, isLost)
  }
}
