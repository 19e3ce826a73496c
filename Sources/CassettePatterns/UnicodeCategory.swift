/// The characters of Unicode's general categories, as in `\p{Lu}`.
struct UnicodeCategory {
  /// Returns the characters of a property such as `Lu`, `L`, `Letter`, `gc=Letter` or `Any`.
  static func characters(named name: String) -> CharacterClass? {
    if let set = sets[name] { return set }
    switch name {
    case "Any": return .all
    case "ASCII": return CharacterClass(ranges: [0...0x7f])
    case "Alphabetic", "IsAlphabetic", "Alpha": return alphabetic
    default: break
    }
    let value = ["General_Category=", "gc=", "Is"].first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
    return sets[value ?? name] ?? longNames[value ?? name].flatMap { sets[$0] }
  }

  /// The classes by category, created on first use because that takes about ten milliseconds.
  private static let sets: [String: CharacterClass] = {
    var ranges: [String: [ClosedRange<UInt32>]] = [:]
    var (start, category): (UInt32, Unicode.GeneralCategory) = (0, .control)
    func close(before end: UInt32) {
      let name = abbreviations[category] ?? "Cn"
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

  /// The categories, with their abbreviations and their long names (ECMA-262, table of General_Category values).
  private static let categories: [(category: Unicode.GeneralCategory, abbreviation: String, name: String)] = [
    (.uppercaseLetter, "Lu", "Uppercase_Letter"), (.lowercaseLetter, "Ll", "Lowercase_Letter"),
    (.titlecaseLetter, "Lt", "Titlecase_Letter"), (.modifierLetter, "Lm", "Modifier_Letter"),
    (.otherLetter, "Lo", "Other_Letter"), (.nonspacingMark, "Mn", "Nonspacing_Mark"),
    (.spacingMark, "Mc", "Spacing_Mark"), (.enclosingMark, "Me", "Enclosing_Mark"),
    (.decimalNumber, "Nd", "Decimal_Number"), (.letterNumber, "Nl", "Letter_Number"),
    (.otherNumber, "No", "Other_Number"), (.connectorPunctuation, "Pc", "Connector_Punctuation"),
    (.dashPunctuation, "Pd", "Dash_Punctuation"), (.openPunctuation, "Ps", "Open_Punctuation"),
    (.closePunctuation, "Pe", "Close_Punctuation"), (.initialPunctuation, "Pi", "Initial_Punctuation"),
    (.finalPunctuation, "Pf", "Final_Punctuation"), (.otherPunctuation, "Po", "Other_Punctuation"),
    (.mathSymbol, "Sm", "Math_Symbol"), (.currencySymbol, "Sc", "Currency_Symbol"),
    (.modifierSymbol, "Sk", "Modifier_Symbol"), (.otherSymbol, "So", "Other_Symbol"),
    (.spaceSeparator, "Zs", "Space_Separator"), (.lineSeparator, "Zl", "Line_Separator"),
    (.paragraphSeparator, "Zp", "Paragraph_Separator"), (.control, "Cc", "Control"), (.format, "Cf", "Format"),
    (.surrogate, "Cs", "Surrogate"), (.privateUse, "Co", "Private_Use"), (.unassigned, "Cn", "Unassigned"),
  ]
  private static let abbreviations = Dictionary(uniqueKeysWithValues: categories.map { ($0.category, $0.abbreviation) })

  private static let longNames: [String: String] = {
    let more = [
      "digit": "Nd", "cntrl": "Cc", "Letter": "L", "Mark": "M", "Combining_Mark": "M", "Number": "N",
      "Punctuation": "P", "punct": "P", "Symbol": "S", "Separator": "Z", "Other": "C",
    ]
    return categories.reduce(into: more) { $0[$1.name] = $1.abbreviation }
  }()
}
