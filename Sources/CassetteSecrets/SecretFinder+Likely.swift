internal import CassetteShapes

/// Telling what is likely to be a secret in any text, where names of secrets are those of a program's, or of a page's.
extension SecretFinder.Found {
  /// True if the value looks like a secret, and not only its name.
  var isLikely: Bool {
    let isOfUser = !parts.isEmpty && name.hasPrefix("user")
    return (isOfUser ? parts : [value]).contains {
      LikelySecret.isLikely($0, isChosen: isOfUser || Self.isChosen(name))
    }
  }

  /// Tells whether people choose what bears a name, and not programs: a password may have a word in it.
  private static func isChosen(_ name: String) -> Bool {
    let name = SecretNames.letters(name)
    return name != "pass" && !name.hasSuffix("id") && chosen.contains { name.contains($0) }
  }

  private static let chosen = [
    "pass", "pwd", "secret", "psk", "senha", "wort", "wachtw", "contras", "salasana", "heslo",
  ]
}
