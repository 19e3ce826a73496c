internal import CassetteSystem

/// What was said of the names in a text: most stand there many times.
///
/// A name is told from others by its bytes, where they lie; nothing is copied.
struct SeenNames {
  private var seen = [(name: Range<Int>, verdict: SecretNames.Verdict)?](repeating: nil, count: 256)

  /// What was said of a name, or is now.
  mutating func verdict(_ name: Range<Int>, in text: ByteSearch, _ say: () -> SecretNames.Verdict)
    -> SecretNames.Verdict
  {
    guard let first = name.first, let last = name.last else { return say() }
    // Spreads the names of one text well enough: a wrong guess costs a comparison.
    let slot =
      (name.count &* 7 &+ Int(text[first]) &* 31 &+ Int(text[last]) &* 17 &+ Int(text[(first + last) / 2])) & 255
    if let seen = seen[slot], text.isSame(seen.name, name) { return seen.verdict }
    let verdict = say()
    seen[slot] = (name, verdict)
    return verdict
  }
}
