// So that an app can name these without products of their own.
@_exported public import struct Cassettes.CassetteFault
@_exported public import struct Cassettes.CassetteMatchingOptions
