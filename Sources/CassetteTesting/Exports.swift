// So that a test can name these without products of their own.
@_exported public import struct CassetteHTTP.HTTPHeaders
@_exported public import struct CassetteSecrets.CassetteRedaction
@_exported public import struct Cassettes.CassetteError
@_exported public import struct Cassettes.CassetteFault
@_exported public import struct Cassettes.CassetteMatchingOptions
@_exported public import enum Cassettes.CassetteMode
