/// The members of WireMock and Postman.
extension KnownMembers {
  /// The members of a file with several mappings.
  package static let wireMockFile: KnownMembers = [
    "mappings": .list(wireMock), "meta": .harmless(.recorder), "importOptions": .foreign,
  ]

  package static let wireMock = KnownMembers.object([
    "persistent": .harmless(.recorder), "insertionIndex": .scalar, "priority": .scalar, "scenarioName": .text,
    "requiredScenarioState": .text, "newScenarioState": .text, "newScenarioName": .foreign, "request": wireMockRequest,
    "response": wireMockResponse, "postServeActions": .foreign, "serveEventListeners": .foreign,
  ]).and(.harmless(.words), "id uuid name metadata")

  /// The reader refuses a mapping whose request has an unknown condition, so conditions are not checked here.
  private static let wireMockRequest: KnownMembers = [
    "method": .whole, "url": .text, "urlPath": .text, "urlPattern": .text, "urlPathPattern": .text,
    "urlPathTemplate": .text, "queryParameters": .whole, "formParameters": .whole, "pathParameters": .whole,
    "headers": .whole, "cookies": .whole, "host": .whole, "port": .scalar, "scheme": .text,
    "basicAuthCredentials": ["username": .scalar, "password": .scalar],
    "bodyPatterns": .list(
      KnownMembers.object([
        "equalToJson": .whole, "ignoreExtraElements": .scalar, "ignoreArrayOrder": .scalar, "binaryEqualTo": .text,
        "matchesJsonPath": .whole, "matchesJsonSchema": .whole, "schemaVersion": .text,
      ]).and(
        .whole,
        "equalTo contains doesNotContain matches doesNotMatch absent and or not caseInsensitive expression "
          + "before after includes hasExactly anything equalToNumber greaterThanNumber greaterThanEqualNumber "
          + "lessThanNumber lessThanEqualNumber")),
    "multipartPatterns": .whole,
  ]

  private static let wireMockResponse: KnownMembers = [
    "status": .scalar, "statusMessage": .text, "headers": .named(values), "body": .whole, "jsonBody": .whole,
    "base64Body": .text, "bodyFileName": .text, "fixedDelayMilliseconds": .scalar, "delayDistribution": .whole,
    "chunkedDribbleDelay": ["numberOfChunks": .scalar, "totalDuration": .scalar], "fault": .text,
    "transformers": values, "transformerParameters": .whole, "proxyBaseUrl": .scalar,
    "additionalProxyRequestHeaders": .foreign, "removeProxyRequestHeaders": .foreign,
    "proxyUrlPrefixToRemove": .foreign, "fromConfiguredStub": .harmless(.recorder),
  ]

  /// The members of a collection.
  package static let postman: KnownMembers = [
    "info": KnownMembers.object([:]).and(
      .harmless(.words),
      "name description schema version _postman_id _exporter_id _collection_link id createdAt updatedAt"),
    "item": .whole, "event": .foreign, "auth": .foreign, "protocolProfileBehavior": .foreign,
    "variable": .list(
      KnownMembers.object(["key": .text, "id": .text, "value": .scalar]).and(
        .harmless(.words), "type name description disabled system")),
  ]

  /// The members of an item, except for those of nested items and of examples, which are checked separately.
  package static let postmanItem = KnownMembers.object([
    "item": .whole, "response": .whole,
    // The request of the item. Most examples have their own copy.
    "request": postmanRequest, "event": .foreign, "auth": .foreign, "variable": .foreign,
    "protocolProfileBehavior": .foreign,
  ]).and(.harmless(.words), "id uid name description _postman_id _postman_isSubFolder")

  package static let postmanExample = KnownMembers.object([
    "originalRequest": postmanRequest, "code": .scalar, "status": .text, "header": postmanHeader, "body": .text,
    "responseCode": .whole,
    "responseTime": .scalar, "cookie": .foreign, "timings": .harmless(.measured),
  ]).and(
    .harmless(.words),
    "id uid name description type _postman_id _postman_previewlanguage _postman_previewtype previewlanguage "
      + "previewType")

  private static let postmanRequest: KnownMembers = .either([
    .text,
    [
      "method": .text, "header": postmanHeader, "description": .harmless(.words),
      "auth": .foreign, "proxy": .foreign, "certificate": .foreign,
      "url": .either([
        .text,
        [
          "raw": .text, "protocol": .text, "host": .whole, "path": .whole, "port": .scalar, "hash": .scalar,
          "query": .list(postmanPair), "variable": .list(postmanPair.and(.scalar, "id")),
        ],
      ]),
      "body": .either([
        .text,
        [
          "mode": .text, "raw": .text, "urlencoded": .either([.text, .list(postmanPair)]), "disabled": .scalar,
          "graphql": ["query": .text, "variables": .whole, "operationName": .text],
          "options": .harmless(.recorder), "formdata": .whole, "file": .whole,
        ],
      ]),
    ],
  ])

  /// Header fields as one text of lines, or as a list of lines or objects.
  private static let postmanHeader = either([.text, .list(.either([.text, postmanPair]))])
  private static let postmanPair = KnownMembers.object(["key": .scalar, "value": .scalar, "disabled": .scalar]).and(
    .harmless(.words), "id name description type uuid enabled system contentType src equals")
}
