import CassetteOpenAPI
import MockServerConsole

/// The options for served specifications.
extension Manual {
  static let specification = Option(
    "openapi", .path, "SPEC", repeats: true,
    help: "Answer requests without a recording from this OpenAPI 3.0 or 3.1 document, JSON or YAML. May be repeated.")
  static let contract = Option(
    "contract", .choice(MockServerContractMode.allCases.map(\.rawValue)),
    help:
      "Validate requests that recordings answer against the specifications, too: fail refuses requests that violate the "
      + "contract, note only reports them, off disables validation.")
  static let specifications = Command.Section(title: "Specifications", options: [specification, contract])

  static let specifying =
    "Recordings and fixtures take precedence over specifications. A specification answers with an example, or with a "
    + "value generated from the schema, which always conforms to it; an example that violates its own schema is not "
    + "used (mockserver check SPEC names it). References may lead to files in the specification's folder. Such "
    + "responses have the field Mockserver-Source: spec OPERATION, and are marked in the journal. A request chooses "
    + "another response with Prefer: code=404, example=NAME, dynamic=true (random values, by --seed). A request that "
    + "violates the contract is answered with 422 (400, 401, 406, 415), in the form that the document defines for it, "
    + "or as application/problem+json with each violation and its place; with --contract note it is answered normally, "
    + "and Mockserver-Contract describes the violation.\n\nA document may have any number of files and operations. Its "
    + "files together are limited to 256 MB (each counts as at least 8 KB), chains of references to 32, the nesting of "
    + "JSON to 512 levels and of YAML to 256. A generated value is limited to 4 MB, 40,000 parts, 60 levels, 10,000 "
    + "elements in a list and 1 MB in a string."
}
