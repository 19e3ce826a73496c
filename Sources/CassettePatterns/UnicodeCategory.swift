/// The characters of Unicode's general categories, as `\p{Lu}` names them.
struct UnicodeCategory {
  /// The characters that a name in braces stands for.
  ///
  /// - Parameters:
  ///   - name: `Lu`, `L`, `Letter`, `gc=Letter`, `Any`, `ASCII` or `Alphabetic`.
  ///   - isAbbreviated: Whether only the abbreviations count, as RFC 9485 has them.
  /// - Returns: The characters; nil when the name is none that is known.
  static func characters(named name: String, isAbbreviated: Bool = false) -> CharacterClass? {
    if let set = sets[name] { return set }
    guard !isAbbreviated else { return nil }
    switch name {
    case "Any": return .all
    case "ASCII": return CharacterClass(ranges: [0...0x7f])
    case "Alphabetic", "IsAlphabetic", "Alpha": return alphabetic
    default: break
    }
    let value = ["General_Category=", "gc=", "Is"].first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
    return sets[value ?? name] ?? longNames[value ?? name].flatMap { sets[$0] }
  }

  /// The classes by category, made when a pattern first asks: it takes some ten milliseconds.
  private static let sets: [String: CharacterClass] = {
    var ranges: [String: [ClosedRange<UInt32>]] = [:]
    var (start, category): (UInt32, Unicode.GeneralCategory) = (0, .control)
    func close(before end: UInt32) {
      let name = abbreviation(category)
      ranges[name, default: []].append(start...end - 1)
      ranges[String(name.prefix(1)), default: []].append(start...end - 1)
    }
    for value in UInt32(1)...0x10ffff {
      let next = Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
      guard next != category else { continue }
      close(before: value)
      (start, category) = (value, next)
    }
    close(before: 0x11_0000)
    return ranges.mapValues { CharacterClass(ranges: $0) }
  }()

  private static let alphabetic: CharacterClass = {
    var ranges: [ClosedRange<UInt32>] = []
    for value in UInt32(0)...0x10ffff where Unicode.Scalar(value)?.properties.isAlphabetic ?? false {
      ranges.append(value...value)
    }
    return CharacterClass(ranges: ranges)
  }()

  private static func abbreviation(_ category: Unicode.GeneralCategory) -> String {
    switch category {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }

  /// The names that ECMAScript takes beside the abbreviations (ECMA-262, table of General_Category values).
  private static let longNames = [
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
    "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
    "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
  ]
}
