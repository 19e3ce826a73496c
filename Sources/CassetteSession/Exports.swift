@_exported public import CassetteSecrets
public import Cassettes

// If a product re-exports a single type by name, that type silently takes precedence over a user's own type of the same
// name. Type aliases and types of re-exported modules do not: an equal name is then ambiguous. The two enumerations are
// empty; importing them makes the members of the aliased types available (SE-0444).
@_exported public import enum CassetteHTTP.CassetteHTTPModule
@_exported public import enum Cassettes.CassettesModule

/// An error in a cassette or in its use, with file, line and column.
public typealias CassetteError = Cassettes.CassetteError
/// A fault or delay that a player applies to answers.
public typealias CassetteFault = Cassettes.CassetteFault
/// Holds answers until a test releases them.
public typealias CassetteGate = Cassettes.CassetteGate
/// The rules for comparing requests with recordings.
public typealias CassetteMatchingOptions = Cassettes.CassetteMatchingOptions
/// The mode of a player: replay, record, or record only missing recordings.
public typealias CassetteMode = Cassettes.CassetteMode
