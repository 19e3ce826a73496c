package import CassetteJSON

/// Removes secrets from an exchange before it is recorded.
///
/// Secret values are recognized by their names in header fields, queries, forms, JSON and cookies. Every other
/// occurrence of the same value in the recording is removed as well, in any encoding. Equal secrets get equal aliases
/// such as `{{secret:1}}`, so that a token in one response still equals the token in a later request.
public struct CassetteRedaction: Hashable, Sendable {
  /// A place whose values are redacted, or kept although their name is the name of a secret.
  public enum Place: Hashable, Sendable {
    /// The value of a header field; the name is case-insensitive.
    case header(String)
    /// The value of a query parameter.
    case query(String)
    /// The value of a form field, URL-encoded or multipart.
    case form(String)
    /// The value at a path in a JSON body and all values below it: `$.account.iban`, `$.users[*].email` for each
    /// element, or `$..iban` at any depth.
    case json(String)
    /// A value, anywhere and in any encoding.
    case value(String)
  }

  /// The redaction of the secrets that the page `Secrets` lists, and of every other occurrence of them.
  public static let standard = CassetteRedaction()

  /// A redaction that removes nothing; a value that looks like a known token still prevents saving.
  public static let none = CassetteRedaction(isOn: false)

  /// True if secrets are redacted.
  public private(set) var isOn = true
  /// The places that are redacted in addition to the standard ones.
  public private(set) var redacted: Set<Place> = []
  /// The places that are kept.
  public private(set) var kept: Set<Place> = []
  /// The custom replacements, which are used instead of stand-ins.
  private(set) var substitutes: [Place: Substitute] = [:]

  /// A custom replacement for a secret: fixed text, or a closure that computes it.
  enum Substitute: Hashable, Sendable {
    case text(String)
    case made(Maker)

    /// A closure that can be compared and hashed by identity.
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

  /// True if opaque bodies are kept: archives, and content codings that cannot be decoded.
  public private(set) var keepsOpaque = false

  /// Creates the standard redaction.
  public init() {}

  private init(isOn: Bool) { self.isOn = isOn }

  /// Returns a redaction that also redacts the given places.
  ///
  /// - Parameter places: The places of secrets; an invalid `json` path is a programmer error.
  /// - Returns: A redaction with these rules added.
  public func redacting(_ places: Place...) -> CassetteRedaction { adding(places, to: \.redacted) }

  /// Returns a redaction that replaces the values at a place with the given text, which is sent and recorded verbatim.
  ///
  /// - Parameters:
  ///   - place: The place of the secret; an authentication scheme such as `Bearer` is kept.
  ///   - text: The replacement, also for other occurrences of the secret; digits replace a JSON number as a number.
  /// - Returns: A redaction with this rule added.
  public func redacting(_ place: Place, with text: String) -> CassetteRedaction { adding(place, .text(text)) }

  /// Returns a redaction that replaces the values at a place with the result of a closure.
  ///
  /// - Parameters:
  ///   - place: The place of the secret; an authentication scheme such as `Bearer` is kept.
  ///   - make: Returns the replacement for a secret; it is called once per secret and must be deterministic.
  /// - Returns: A redaction with this rule added.
  public func redacting(_ place: Place, _ make: @escaping @Sendable (_ secret: String) -> String) -> CassetteRedaction {
    adding(place, .made(Substitute.Maker(make)))
  }

  /// Returns a redaction that passes the calls of its closures to `run`, which may set task-local values.
  package func calling(_ run: @escaping @Sendable (_ make: () -> String) -> String) -> CassetteRedaction {
    var redaction = self
    redaction.substitutes = substitutes.mapValues { substitute in
      guard case .made(let maker) = substitute else { return substitute }
      return .made(Substitute.Maker { secret in run { maker.make(secret) } })
    }
    return redaction
  }

  private func adding(_ place: Place, _ substitute: Substitute) -> CassetteRedaction {
    var redaction = adding([place], to: \.redacted)
    redaction.substitutes[place.folded] = substitute
    return redaction
  }

  /// Returns the standard redaction with fixed text for the values at a place, in the file and on the wire.
  public static func redacting(_ place: Place, with text: String) -> CassetteRedaction {
    standard.redacting(place, with: text)
  }

  /// Returns the standard redaction with a closure that returns the replacement for each secret at a place.
  public static func redacting(_ place: Place, _ make: @escaping @Sendable (_ secret: String) -> String)
    -> CassetteRedaction
  {
    standard.redacting(place, make)
  }

  /// Returns the standard redaction that also redacts the given places.
  public static func redacting(_ places: Place...) -> CassetteRedaction { standard.adding(places, to: \.redacted) }

  /// Returns a redaction that keeps the values at the given places, even if they look like secrets.
  ///
  /// - Parameter places: The places without secrets; a kept `value` is also ignored by the token check.
  /// - Returns: A redaction with these exceptions added.
  public func keeping(_ places: Place...) -> CassetteRedaction { adding(places, to: \.kept) }

  /// Returns the standard redaction that keeps the values at the given places, even if they look like secrets.
  public static func keeping(_ places: Place...) -> CassetteRedaction { standard.adding(places, to: \.kept) }

  /// Returns a redaction that keeps the given values.
  package func keeping(values: Set<[UInt8]>) -> CassetteRedaction {
    adding(values.map { .value(String(decoding: $0, as: UTF8.self)) }, to: \.kept)
  }

  /// Returns the standard redaction that keeps opaque bodies.
  public static func keepingOpaque() -> CassetteRedaction { standard.keepingOpaque() }

  /// Returns a redaction that keeps opaque bodies: archives, and content codings that cannot be decoded.
  public func keepingOpaque() -> CassetteRedaction {
    var redaction = self
    redaction.keepsOpaque = true
    return redaction
  }

  /// Adds the rules of another redaction, whose replacement wins if both have one for a place.
  package func merging(_ other: CassetteRedaction) -> CassetteRedaction {
    var redaction = self
    redaction.isOn = isOn && other.isOn
    redaction.redacted.formUnion(other.redacted)
    redaction.kept.formUnion(other.kept)
    redaction.substitutes.merge(other.substitutes) { $1 }
    redaction.keepsOpaque = keepsOpaque || other.keepsOpaque
    return redaction
  }

  /// Returns the reason why a string is not a valid `json` path, or nil if it is valid.
  package static func problem(ofPath text: String) -> String? {
    do throws(JSONQuery.Problem) {
      _ = try JSONQuery(text)
      return nil
    } catch {
      return error.words
    }
  }

  /// Returns the JSON paths among the given places.
  package static func paths(in places: Set<Place>) -> [JSONQuery] {
    places.compactMap { if case .json(let path) = $0 { try? JSONQuery(path) } else { nil } }
  }

  /// True if a `value` rule finds the value everywhere; short values, numbers and plain words occur by chance.
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

  /// True if there are user-defined rules to redact or keep places.
  var hasNames: Bool { !redacted.isEmpty || !kept.isEmpty }

  /// True if there are user-defined rules with JSON paths.
  package var hasPaths: Bool { redacted.union(kept).contains { if case .json = $0 { true } else { false } } }

  package func takesOut(header name: String) -> Bool {
    guard hasNames else { return SecretNames.isField(name) }
    return !keeps(header: name) && (redacted.contains(.header(name.lowercased())) || SecretNames.isField(name))
  }

  /// True if a value is kept wherever it occurs.
  func keeps(value: [UInt8]) -> Bool { !kept.isEmpty && kept.contains(.value(String(decoding: value, as: UTF8.self))) }

  package func keeps(header name: String) -> Bool { !kept.isEmpty && kept.contains(.header(name.lowercased())) }
}

extension CassetteRedaction: ExpressibleByArrayLiteral {
  /// Creates the standard redaction that also redacts the given places: `[.header("X-Team"), .json("$.iban")]`.
  public init(arrayLiteral places: Place...) { self = CassetteRedaction.standard.adding(places, to: \.redacted) }
}

extension CassetteRedaction.Place {
  /// The place with its name in lower case, for comparison.
  fileprivate var folded: CassetteRedaction.Place {
    switch self {
    case .header(let name): .header(name.lowercased())
    case .query(let name): .query(name.lowercased())
    case .form(let name): .form(name.lowercased())
    case .json, .value: self
    }
  }
}
