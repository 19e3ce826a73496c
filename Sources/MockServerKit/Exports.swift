@_exported public import CassetteOpenAPI

// These imports make the members of configuration values available, and take no name from the user's code (SE-0444).
@_exported public import enum CassetteHTTP.CassetteHTTPModule
@_exported public import enum Cassettes.CassettesModule
@_exported public import enum MockServerWire.MockServerWireModule
