// Tests with a contract need the API for cassettes as well, and thus only one import.
@_exported public import CassetteTesting
