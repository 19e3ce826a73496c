internal import CassetteHTTP
internal import CassetteRecording
package import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The folder for long bodies next to a cassette during recording: `.github.json.journal`.
///
/// Its bodies are already redacted. When the cassette is written, its files are moved to `bodies`, and the folder is
/// removed.
enum JournalBodies {
  /// Returns the name of the folder for a cassette's file.
  static func folder(besideFile path: String) -> String {
    ".\(Folder.name(of: path))\(JournalName.suffix)"
  }

  /// Removes the folder next to a cassette, with its content.
  static func remove(besideFile path: String) {
    let folder = Folder.join(Folder.parent(of: path), folder(besideFile: path))
    guard Folder.kind(of: folder) == .folder else { return }
    for file in Folder.files(in: folder).files { unlink(Folder.join(folder, file)) }
    rmdir(folder)
  }
}

/// A long body written to the disk and redacted part by part, so that neither the whole body nor a secret is written.
///
/// Each part is scanned without the journal's secrets, which others use in the meantime.
package struct JournalBody: Sendable {
  /// Calls a closure with the secrets of the journal, or several times with copies of them.
  package typealias Secrets = (_ use: (inout RedactionPass) -> (bytes: [UInt8], end: Int)) -> (bytes: [UInt8], end: Int)

  /// The number of bytes that are scanned together.
  private static let window = 256 << 10

  /// The number of bytes scanned only together with the following ones: no secret is longer.
  private static let margin = 16 << 10
  /// The number of preceding bytes that are scanned again, for the names of following values.
  private static let context = 1 << 10

  /// The path of the file, relative to the cassette's folder.
  let path: String
  /// The number of bytes written.
  private(set) var size = 0
  private let folder: String
  /// The path of the journal, for messages.
  private let journal: String
  /// A redaction without secrets, which scans the parts.
  private let blank: RedactionPass
  private let descriptor: Int32
  private let isForm: Bool
  private var waiting: [UInt8] = []
  private var known = 0
  /// The alias numbers in the existing recording of the body, which its secrets keep.
  private var numbering: BodyNumbers

  /// Creates the file and its folder.
  init(
    _ number: Int, besideFile cassette: String, isForm: Bool, _ blank: RedactionPass, like old: BodyNumbers
  ) throws(FileFailure) {
    numbering = old
    journal = cassette + JournalName.suffix
    self.blank = blank
    folder = Folder.parent(of: cassette)
    let name = JournalBodies.folder(besideFile: cassette)
    mkdir(Folder.join(folder, name), 0o700)
    path = "\(name)/\(number)"
    self.isForm = isForm
    descriptor = try CassetteFileFolder(Folder.join(folder, name)).create("\(number)", permissions: 0o600)
  }

  /// Appends received bytes.
  ///
  /// - Throws: ``CassetteError`` if writing fails; the body is removed in this case.
  mutating func append(_ bytes: [UInt8], _ secrets: Secrets) throws(CassetteError) {
    waiting += bytes
    try removing { body throws(FileFailure) in
      while body.waiting.count - body.known >= Self.window + Self.margin {
        try body.write(upTo: body.known + Self.window, isLast: false, secrets)
      }
    }
  }

  /// Writes the remaining bytes, and waits until the file is on the disk.
  ///
  /// Throws ``CassetteError`` if writing fails; the body is removed in this case.
  mutating func finish(_ secrets: Secrets) throws(CassetteError) -> Body {
    try append([], secrets)
    try removing { body throws(FileFailure) in
      try body.write(upTo: body.waiting.count, isLast: true, secrets)
      guard fsync(body.descriptor) == 0 else { throw .system("write", body.path) }
    }
    FileBytes.close(descriptor)
    return .lying(in: folder, at: path)
  }

  private mutating func removing(_ act: (inout JournalBody) throws(FileFailure) -> Void) throws(CassetteError) {
    do throws(FileFailure) { try act(&self) } catch {
      remove()
      throw CassetteError(error, of: journal)
    }
  }

  /// Returns the end of a part without a trailing incomplete alias.
  static func end(ofWhole part: [UInt8]) -> Int {
    // An alias may contain base64-encoded text.
    let tail = max(0, part.count - 2 * (window + margin))
    guard let last = part[tail...].lastIndex(of: UInt8(ascii: "{")) else { return part.count }
    let start = last > tail && part[last - 1] == part[last] ? last - 1 : last
    return part.firstIndex(of: [0x7d, 0x7d], from: start) == nil ? start : part.count
  }

  private mutating func write(upTo end: Int, isLast: Bool, _ secrets: Secrets) throws(FileFailure) {
    let scanned = blank.scanning(part: isLast ? waiting : Array(waiting.prefix(end + Self.margin)), isForm: isForm)
    let (range, numbers) = (known..<end, numbering)
    let part = secrets { pass in
      numbering = numbers
      if !numbering.isEmpty {
        var draft = pass
        numbering.adopt(draft.redacting(scanned, range, isLast: isLast).bytes, draft, &pass)
      }
      return pass.redacting(scanned, range, isLast: isLast)
    }
    try FileBytes.write(part.bytes, to: descriptor, path)
    size += part.bytes.count
    let rest = max(0, part.end - Self.context)
    waiting.removeFirst(rest)
    known = part.end - rest
  }

  /// Removes the file of a body that is not completed.
  func remove() {
    unlink(Folder.join(folder, path))
    FileBytes.close(descriptor)
  }
}

/// The alias numbers in the existing recording of a long body, by their offset in the body without aliases.
struct BodyNumbers: Sendable {
  private var old: [Int: Int] = [:]
  private var count = 0

  /// True if there are no numbers.
  var isEmpty: Bool { old.isEmpty }

  /// Creates an instance without numbers.
  init() {}

  /// Reads the numbers in a body that is in a file.
  init(of body: Body?) throws(CassetteError) {
    guard let file = try body?.openLongFile() else { return }
    var waiting: [UInt8] = []
    var end = 0
    func read(upTo whole: Int) {
      let part = Array(waiting[..<whole])
      waiting.removeFirst(whole)
      SecretAlias.eachPlace(in: part) { old[end + $1] = $0 }
      end += SecretAlias.neutral(part).bytes.count
    }
    try file.eachPart { part in
      waiting += part
      read(upTo: JournalBody.end(ofWhole: waiting))
      return true
    }
    read(upTo: waiting.count)
  }

  /// Assigns the numbers of the existing recording to secrets without a number, by the offsets of their aliases in a
  /// part.
  mutating func adopt(_ part: [UInt8], _ draft: RedactionPass, _ pass: inout RedactionPass) {
    var secrets: [Int: Int] = [:]
    for (secret, number) in draft.table.numbers where pass.table.numbers[secret] == nil { secrets[number] = secret }
    SecretAlias.eachPlace(in: part) { number, place in
      if let secret = secrets[number], let old = old[count + place] { pass.table.adopt(old, for: secret) }
    }
    count += SecretAlias.neutral(part).bytes.count
  }
}

/// The alias numbers of the existing cassette, which repeated recordings use from the start.
struct JournalNumbers {
  /// The recordings with aliases that were not requested again, by their requests.
  private var waiting: [String: [Interaction]] = [:]
  /// The number of recordings that were requested again.
  private(set) var requested = 0
  /// All numbers in the cassette, which are not assigned to other secrets.
  private(set) var all: Set<Int> = []
  /// The types of the secrets, by number.
  private(set) var spellings: [Int: SecretType] = [:]

  /// Reads the cassette from before the recording; creates an empty instance if it cannot be parsed.
  init(_ cassette: [UInt8], file: String) {
    guard !cassette.isEmpty, let old = try? CassetteFile.read(bytes: cassette, name: "old", file: file) else { return }
    for interaction in old.interactions {
      var hasAliases = interaction.responseBody?.isLong ?? false
      for part in (try? RecordingMerge.parts(of: interaction)) ?? [] {
        SecretAlias.each(in: part.text) { spellings[$0.number] = $0.shape }
        let numbers = SecretAlias.numbers(in: part.text)
        all.formUnion(numbers)
        hasAliases = hasAliases || !numbers.isEmpty
      }
      if hasAliases { waiting[Self.key(of: interaction), default: []].append(interaction) }
    }
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  private static func body(of interaction: Interaction) throws(CassetteError) -> [UInt8] {
    SecretAlias.neutral(try RecordingMerge.parts(of: interaction, named: ">").first?.text ?? []).bytes
  }

  /// Assigns the numbers of the repeated recording to secrets of an exchange that have no number yet.
  mutating func adopt(for interaction: Interaction, _ pass: inout RedactionPass) throws(CassetteError) {
    guard !waiting.isEmpty else { return }
    var draft = pass
    let redacted = try draft.redacting(interaction)
    let key = Self.key(of: redacted)
    guard let candidates = waiting[key], !candidates.isEmpty else { return }
    // Requests that are sent at the same time complete in any order, so their bodies identify the recording.
    let body = try Self.body(of: redacted)
    var order: [Int] = []
    for (index, candidate) in candidates.enumerated() where try Self.body(of: candidate) == body { order.append(index) }
    if order.isEmpty { order = Array(candidates.indices) }
    var secrets: [Int: Int] = [:]
    for (secret, number) in draft.table.numbers where pass.table.numbers[secret] == nil { secrets[number] = secret }
    var taken = order[0]
    func give(_ numbers: [Int], _ old: [Int]) {
      for (number, old) in zip(numbers, old) {
        if let secret = secrets[number] { pass.table.adopt(old, for: secret) }
      }
    }
    if !secrets.isEmpty {
      // If several recordings have the same request, the first one with equal text is used.
      var changed = try RecordingMerge.agree(redacted, candidates[taken]) { _, _ in }
      for index in order.dropFirst() where !changed.isEmpty {
        let other = try RecordingMerge.agree(redacted, candidates[index]) { _, _ in }
        if other.isEmpty { (changed, taken) = (other, index) }
      }
      changed = try RecordingMerge.agree(redacted, candidates[taken], give)
      RecordingMerge.agree(changed, give)
    }
    waiting[key]?.remove(at: taken)
    requested += 1
  }

  /// Returns the numbers in the long body of the recording that an exchange repeats.
  func ofBody(for interaction: Interaction, _ pass: RedactionPass) throws(CassetteError) -> BodyNumbers {
    guard !waiting.isEmpty else { return BodyNumbers() }
    var draft = pass
    return try BodyNumbers(of: waiting[Self.key(of: try draft.redacting(interaction))]?.first?.responseBody)
  }
}

extension Body {
  /// True if the body is in a file that is too long to be kept in memory.
  fileprivate var isLong: Bool { (try? openLongFile()) != nil }
}
