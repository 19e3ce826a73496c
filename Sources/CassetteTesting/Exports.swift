// So that a test can name these without products of their own.
@_exported public import struct CassetteHTTP.HTTPHeaders
@_exported public import struct CassetteSecrets.Redaction
@_exported public import struct Cassettes.CassetteError
@_exported public import struct Cassettes.Fault
@_exported public import struct Cassettes.Matching
@_exported public import enum Cassettes.Mode
