@_exported public import struct CassetteHTTP.HTTPHeaders
@_exported public import struct CassetteSecrets.Redaction
// So that a test can name these without products of their own.
@_exported public import struct Cassettes.Fault
