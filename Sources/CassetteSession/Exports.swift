@_exported public import CassetteSecrets
public import Cassettes

// A type that is re-exported by its name takes precedence over a user's own type of the same name, without a warning.
// Aliases and types of re-exported modules do not: such a name is ambiguous. The two enumerations are empty; their import
// makes the members of the aliased types available (SE-0444).
@_exported public import enum CassetteHTTP.CassetteHTTPModule
@_exported public import enum Cassettes.CassettesModule

/// An error in a cassette or about one, with file, line and column.
public typealias CassetteError = Cassettes.CassetteError
/// A fault or delay that is put between a recording and a client.
public typealias CassetteFault = Cassettes.CassetteFault
/// The rules for comparing requests with recordings.
public typealias CassetteMatchingOptions = Cassettes.CassetteMatchingOptions
/// The mode of a player: it replays, records, or records only what is missing.
public typealias CassetteMode = Cassettes.CassetteMode
