package import CassetteJSON

/// Removes secrets from an exchange before it is kept.
///
/// Values that a name gives away are taken out of header fields, queries, forms, JSON and cookies, and so is every
/// other occurrence of the same value in the same recording, in whatever encoding it comes back. Equal secrets get the
/// equal alias `{{secret:1}}`, so that a token one response hands out still equals the one a later request sends.
public struct CassetteRedaction: Hashable, Sendable {
  /// A place whose values are taken out, or kept although their name says otherwise.
  public enum Place: Hashable, Sendable {
    /// The value of a header field, whatever the case of its name.
    case header(String)
    /// The value of a query parameter.
    case query(String)
    /// The value of a form's field, URL-encoded or multipart.
    case form(String)
    /// The value at a path in a JSON body and all below it: `$.account.iban`, or `$.users[*].email` in each element,
    /// or `$..iban` wherever it stands.
    case json(String)
    /// A value, wherever it is and however it is encoded.
    case value(String)
  }

  /// The redaction of the secrets that CASSETTE.md lists, and of every other occurrence of them.
  public static let standard = CassetteRedaction()

  /// A redaction that takes nothing out; a value that looks like a known token still stops the save.
  public static let none = CassetteRedaction(isOn: false)

  /// True if anything is taken out.
  public private(set) var isOn = true
  /// The places that are taken out beyond the usual.
  public private(set) var redacted: Set<Place> = []
  /// The places that stay.
  public private(set) var kept: Set<Place> = []
  /// The substitutes for secrets that are not to have a stand-in.
  private(set) var substitutes: [Place: Substitute] = [:]

  /// A substitute that a person, or a person's code, puts in the place of a secret.
  enum Substitute: Hashable, Sendable {
    case text(String)
    case made(Maker)

    /// Code, which is the same as itself and as no other.
    final class Maker: Hashable, Sendable {
      let make: @Sendable (String) -> String

      init(_ make: @escaping @Sendable (String) -> String) { self.make = make }

      static func == (first: Maker, second: Maker) -> Bool { first === second }

      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    func callAsFunction(_ secret: String) -> String {
      switch self {
      case .text(let text): text
      case .made(let maker): maker.make(secret)
      }
    }
  }

  /// True if bodies are kept that cannot be looked into: archives, and codings that cannot be decoded here.
  public private(set) var keepsOpaque = false

  /// Creates the standard redaction.
  public init() {}

  private init(isOn: Bool) { self.isOn = isOn }

  /// Returns a redaction that also takes out these places.
  ///
  /// - Parameter places: Where secrets stand; a `json` path that cannot be read is a programmer's error.
  /// - Returns: A redaction with these rules added.
  public func redacting(_ places: Place...) -> CassetteRedaction { adding(places, to: \.redacted) }

  /// Returns a redaction that replaces the values at a place by a text; the text is sent and recorded as it is.
  ///
  /// - Parameters:
  ///   - place: Where the secret stands; a field's scheme, such as `Bearer`, stays.
  ///   - text: What takes its place, wherever else the secret is met, too; digits take a number's place as a number.
  /// - Returns: A redaction with this rule added.
  public func redacting(_ place: Place, with text: String) -> CassetteRedaction { adding(place, .text(text)) }

  /// Returns a redaction that replaces the values at a place by what a closure makes of them.
  ///
  /// - Parameters:
  ///   - place: Where the secret stands; a field's scheme, such as `Bearer`, stays.
  ///   - make: Is given the secret, once, and gives what takes its place; the same for the same, or tests will not repeat.
  /// - Returns: A redaction with this rule added.
  public func redacting(_ place: Place, _ make: @escaping @Sendable (_ secret: String) -> String) -> CassetteRedaction {
    adding(place, .made(Substitute.Maker(make)))
  }

  private func adding(_ place: Place, _ substitute: Substitute) -> CassetteRedaction {
    var redaction = adding([place], to: \.redacted)
    redaction.substitutes[place.folded] = substitute
    return redaction
  }

  /// Returns the standard redaction with a text for the values at a place, in the file and on the wire.
  public static func redacting(_ place: Place, with text: String) -> CassetteRedaction {
    standard.redacting(place, with: text)
  }

  /// Returns the standard redaction with a closure that is given each secret at a place, and gives what replaces it.
  public static func redacting(_ place: Place, _ make: @escaping @Sendable (_ secret: String) -> String)
    -> CassetteRedaction
  {
    standard.redacting(place, make)
  }

  /// Returns the standard redaction that also takes out these places.
  public static func redacting(_ places: Place...) -> CassetteRedaction { standard.adding(places, to: \.redacted) }

  /// Returns a redaction that keeps the values at these places, also if they look like secrets.
  ///
  /// - Parameter places: What is no secret; a `value` is one the tripwire lets pass.
  /// - Returns: A redaction with these exceptions added.
  public func keeping(_ places: Place...) -> CassetteRedaction { adding(places, to: \.kept) }

  /// Returns the standard redaction that keeps the values at these places, also if they look like secrets.
  public static func keeping(_ places: Place...) -> CassetteRedaction { standard.adding(places, to: \.kept) }

  /// Returns the standard redaction that keeps bodies it cannot look into.
  public static func keepingOpaque() -> CassetteRedaction { standard.keepingOpaque() }

  /// Returns a redaction that keeps bodies it cannot look into: archives, and codings that cannot be decoded here.
  public func keepingOpaque() -> CassetteRedaction {
    var redaction = self
    redaction.keepsOpaque = true
    return redaction
  }

  /// Adds another's rules; of two texts for one place the other's stands.
  package func merging(_ other: CassetteRedaction) -> CassetteRedaction {
    var redaction = self
    redaction.isOn = isOn && other.isOn
    redaction.redacted.formUnion(other.redacted)
    redaction.kept.formUnion(other.kept)
    redaction.substitutes.merge(other.substitutes) { $1 }
    redaction.keepsOpaque = keepsOpaque || other.keepsOpaque
    return redaction
  }

  /// Returns the reason why a text is no path that `json` takes, in words; nil where it is one.
  package static func problem(ofPath text: String) -> String? {
    do throws(JSONQuery.Problem) {
      _ = try JSONQuery(text)
      return nil
    } catch {
      return error.words
    }
  }

  /// Returns the paths among some places.
  package static func paths(in places: Set<Place>) -> [JSONQuery] {
    places.compactMap { if case .json(let path) = $0 { try? JSONQuery(path) } else { nil } }
  }

  /// Tells whether `value` finds a text wherever it stands: short ones, numbers and plain words occur by chance.
  package static func isLookedFor(_ value: String) -> Bool { !SecretTable.isTrivial(Array(value.utf8), isNamed: true) }

  private func adding(_ places: [Place], to set: WritableKeyPath<CassetteRedaction, Set<Place>>) -> CassetteRedaction {
    var redaction = self
    for place in places {
      if case .json(let path) = place {
        let problem = Self.problem(ofPath: path)
        precondition(problem == nil, "\(path) is not a path such as $.account.iban: \(problem ?? "")")
      }
      redaction[keyPath: set].insert(place.folded)
    }
    return redaction
  }

  /// True if people named anything to take out or to keep.
  var hasNames: Bool { !redacted.isEmpty || !kept.isEmpty }

  /// True if JSON paths say what is taken out or kept.
  package var hasPaths: Bool { redacted.union(kept).contains { if case .json = $0 { true } else { false } } }

  package func takesOut(header name: String) -> Bool {
    guard hasNames else { return SecretNames.isField(name) }
    return !keeps(header: name) && (redacted.contains(.header(name.lowercased())) || SecretNames.isField(name))
  }

  package func keeps(header name: String) -> Bool { !kept.isEmpty && kept.contains(.header(name.lowercased())) }
}

extension CassetteRedaction: ExpressibleByArrayLiteral {
  /// Creates the standard redaction with these taken out as well: `[.header("X-Team"), .json("$.iban")]`.
  public init(arrayLiteral places: Place...) { self = CassetteRedaction.standard.adding(places, to: \.redacted) }
}

extension CassetteRedaction.Place {
  /// Names as they are compared.
  fileprivate var folded: CassetteRedaction.Place {
    switch self {
    case .header(let name): .header(name.lowercased())
    case .query(let name): .query(name.lowercased())
    case .form(let name): .form(name.lowercased())
    case .json, .value: self
    }
  }
}
