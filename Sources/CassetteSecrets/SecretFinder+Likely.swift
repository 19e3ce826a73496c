internal import CassetteShapes
internal import CassetteSystem

/// Telling what is likely to be a secret in any text, where names of secrets are those of a program's, or of a page's.
extension SecretFinder.Found {
  /// True if the value looks like a secret, and not only its name.
  var isLikely: Bool {
    let isOfUser = !parts.isEmpty && name.hasPrefix("user")
    // `Server=a;Password=b`, `Digest username="a", response="b"`
    let isOfSeveral = ["authorization", "connection"].contains { name.lowercased().contains($0) }
    let settings = isOfSeveral ? value.split { Self.separators.contains($0) }.map(Array.init) : []
    return (isOfUser ? parts : [value] + settings).contains {
      LikelySecret.isLikely($0, isChosen: isOfUser || Self.isChosen(name))
    }
  }

  private static let separators = ByteSet(0...0x20, adding: "=;,\"'")

  /// Tells whether people choose what bears a name, and not programs: a password may have a word in it.
  private static func isChosen(_ name: String) -> Bool {
    let name = SecretNames.letters(name)
    return name != "pass" && !name.hasSuffix("id") && chosen.contains { name.contains($0) }
  }

  private static let chosen = [
    "pass", "pwd", "secret", "psk", "senha", "wort", "wachtw", "contras", "salasana", "heslo",
  ]
}
