import CassetteOpenAPI
import MockServerConsole

/// The options for served specifications.
extension Manual {
  static let specification = Option(
    "openapi", .path, "SPEC", repeats: true,
    help: "Answer what no recording does from this OpenAPI 3.0 or 3.1 document, JSON or YAML. May be repeated.")
  static let contract = Option(
    "contract", .choice(MockServerContractMode.allCases.map(\.rawValue)),
    help:
      "Hold recordings to the specifications, too: fail refuses a request that breaks the contract, note only tells of "
      + "it, off holds nothing to it.")
  static let specifications = Command.Section(title: "Specifications", options: [specification, contract])

  static let specifying =
    "A recording or a fixture answers first, a specification the rest: an example, or a value made from the schema, which "
    + "it always meets; an example that breaks its own schema is not given (mockserver check SPEC names them). References "
    + "may lead to files in the specification's folder. Mockserver-Source: spec OPERATION marks it, "
    + "and the journal does. A request asks for another answer with Prefer: code=404, example=NAME, dynamic=true (values "
    + "at random, by --seed). A request that breaks the contract is answered 422 (400, 401, 406, 415), in the form that "
    + "the document has for it, or as application/problem+json with what and where; with --contract note it is answered, "
    + "and Mockserver-Contract says what is wrong.\n\nA document may have any number of files and operations. Its files "
    + "together have at most 256 MB (each counts as 8 KB at least), a reference leads at most 32 references further, and JSON is at most 512 levels "
    + "deep, YAML 256. A value that is made has at most 4 MB, 40,000 parts, 60 levels, 10,000 elements in a list and "
    + "1 MB in a text."
}
