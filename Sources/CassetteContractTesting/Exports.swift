// So that a test that names a contract needs no second import for its cassettes.
@_exported public import CassetteTesting
