// So that a test can name a fault without a product of its own.
@_exported public import struct Cassettes.Fault
