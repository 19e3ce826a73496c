/// The members of VCR, nock, DVR and Hoverfly.
extension KnownMembers {
  /// The members around VCR's list of interactions: the recorder and the version.
  package static let vcr: KnownMembers = [
    "recorded_with": .harmless(.recorder), "version": .harmless(.recorder), "recorded_at": .harmless(.measured),
  ]

  package static let vcrInteraction: KnownMembers = [
    "request": KnownMembers.object([
      "method": .text, "uri": .text, "url": .text, "headers": .either([.named(values), .list(.whole)]),
      // The reader handles all forms of a body.
      "body": .whole, "parsed_body": .whole,
        // go-vcr writes the fields of Go's `http.Request`.
    ]).and(.harmless(.connection), "\(ofGo) remote_addr").and(
      .harmless(.repeated), "content_length host request_uri form"),
    "response": KnownMembers.object([
      "status": .either([.scalar, ["code": .scalar, "message": .scalar]]), "status_code": .scalar,
      "headers": .either([.named(values), .list(.whole)]), "body": .whole, "content": .whole, "parsed_body": .whole,
      "adapter_metadata": .foreign, "code": .scalar, "duration": .harmless(.measured),
    ]).and(.harmless(.connection), "\(ofGo) http_version uncompressed").and(.harmless(.repeated), "content_length url"),
    "recorded_at": .scalar, "id": .harmless(.recorder),
  ]

  /// The members with which Go describes a message's connection.
  private static let ofGo = "proto proto_major proto_minor transfer_encoding trailer"

  package static let nockDefinition: KnownMembers = [
    "scope": .text, "port": .scalar, "path": .text, "method": .text, "status": .scalar, "reply": .scalar,
    "body": .whole,
    "reqheaders": .named(values), "response": .whole, "responseIsBinary": .scalar,
    "rawHeaders": .either([.list(.scalar), .named(values)]), "headers": .either([.list(.scalar), .named(values)]),
    "badheaders": .foreign, "options": .foreign,
  ]

  package static let dvr: KnownMembers = ["name": .harmless(.words)]

  package static let dvrInteraction: KnownMembers = [
    "request": ["url": .text, "method": .text, "headers": .named(values), "body": .whole],
    "response": [
      "url": .harmless(.repeated), "status": .scalar, "headers": .named(values), "body": .whole,
      "error": ["domain": .text, "code": .scalar],
    ],
    "recorded_at": .scalar,
  ]

  /// The members around the pairs of a Hoverfly simulation.
  package static let hoverfly: KnownMembers = [
    "data": [
      "globalActions": ["delays": .foreign, "delaysLogNormal": .foreign], "literals": .foreign, "variables": .foreign,
    ],
    "meta": [
      "schemaVersion": .harmless(.recorder), "hoverflyVersion": .harmless(.recorder),
      "timeExported": .harmless(.measured),
    ],
  ]

  package static let hoverflyPair: KnownMembers = [
    "request": [
      "method": matchers, "path": matchers, "scheme": matchers, "destination": matchers,
      "query": .either([.text, .list(matcher), .named(matchers)]), "deprecatedQuery": matchers, "body": matchers,
      "headers": .named(matchers), "headersWithMatchers": .named(matchers), "queriesWithMatchers": .named(matchers),
      "requiresState": .named(.scalar), "requestType": .harmless(.recorder),
    ],
    "response": [
      "status": .scalar, "body": .text, "encodedBody": .scalar, "headers": .named(values), "templated": .scalar,
      "transitionsState": .named(.scalar), "removesState": .list(.scalar), "fixedDelay": .scalar,
      "logNormalDelay": ["min": .scalar, "max": .scalar, "mean": .scalar, "median": .scalar],
      "bodyFile": .text, "postServeAction": .foreign,
    ],
    "labels": .harmless(.words),
  ]

  /// A string, the matchers of version 5, or a single object of older versions, of which the reader refuses unknown
  /// members.
  private static let matchers = either([.text, .list(.either([.text, matcher])), .whole])
  private static let matcher: KnownMembers = [
    "matcher": .text, "value": .whole, "doMatch": .whole,
    "config": [
      "ignoreCase": .scalar, "ignoreUnknown": .scalar, "ignoreOrder": .scalar, "ignoreOccurrences": .foreign,
    ],
  ]
}
