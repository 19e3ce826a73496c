internal import CassetteHTTP
internal import CassetteRecording
internal import CassetteSecrets
internal import Cassettes

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

  /// Assigns the numbers of the repeated recording to secrets of an exchange that have no number yet.
  mutating func adopt(for interaction: Interaction, _ pass: inout RedactionPass) throws(CassetteError) {
    guard !waiting.isEmpty else { return }
    var draft = pass
    let redacted = try draft.redacting(interaction)
    let key = Self.key(of: redacted)
    guard let candidates = waiting[key], let first = candidates.first else { return }
    var secrets: [Int: Int] = [:]
    for (secret, number) in draft.table.numbers where pass.table.numbers[secret] == nil { secrets[number] = secret }
    var taken = 0
    func give(_ numbers: [Int], _ old: [Int]) {
      for (number, old) in zip(numbers, old) {
        if let secret = secrets[number] { pass.table.adopt(old, for: secret) }
      }
    }
    if !secrets.isEmpty {
      // If several recordings have the same request, the first one with equal text is used.
      var changed = try RecordingMerge.agree(redacted, first) { _, _ in }
      for (index, candidate) in candidates.enumerated().dropFirst() where !changed.isEmpty {
        let other = try RecordingMerge.agree(redacted, candidate) { _, _ in }
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
