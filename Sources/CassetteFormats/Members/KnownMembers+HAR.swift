/// The members of HAR 1.1 and 1.2, and the extensions of browsers and proxies.
extension KnownMembers {
  /// The members around the entries of an HTTP archive.
  package static let har: KnownMembers = [
    "log": [
      "version": .harmless(.recorder), "creator": program, "browser": program, "comment": .harmless(.words),
      "pages": .list(page), "_recordingName": .harmless(.words),
      // The reader of the extension reports members that it cannot read.
      "_mockserver": .whole,
    ]
  ]

  package static let harEntry = KnownMembers.object([
    "startedDateTime": .scalar, "time": .scalar, "request": harRequest, "response": harResponse, "cache": cache,
    "timings": timings, "serverIPAddress": .harmless(.connection), "connection": .harmless(.connection),
    "pageref": .harmless(.recorder), "comment": .harmless(.words), "_error": .foreign,
    // The readers of these members report data that they cannot import.
    "_mockserver": .whole, "_webSocketMessages": .whole,
  ]).and(.harmless(.recorder), ofBrowsers).and(.harmless(.recorder), ofProxies).and(.harmless(.recorder), ofWebPageTest)

  private static let harRequest = KnownMembers.object([
    "method": .text, "url": .text, "headers": fields, "postData": postData, "httpVersion": .harmless(.connection),
    "cookies": cookies, "queryString": .either([.list(pair), .named(values)]),
    "headersSize": .harmless(.measured), "bodySize": .harmless(.measured), "comment": .harmless(.words),
  ]).and(.harmless(.recorder), "_initialPriority _priority _timestamp")

  private static let harResponse = KnownMembers.object([
    "status": .scalar, "statusText": .text, "headers": fields, "httpVersion": .harmless(.connection),
    "cookies": cookies, "redirectURL": .harmless(.repeated), "headersSize": .harmless(.measured),
    "bodySize": .harmless(.measured), "comment": .harmless(.words), "_transferSize": .harmless(.measured),
    "_charlesStatus": .harmless(.recorder), "_error": .foreign, "_fetchedViaServiceWorker": .harmless(.recorder),
    "_serviceWorkerResponseSource": .harmless(.recorder), "_serviceWorkerRouterInfo": .harmless(.recorder),
    "_responseCacheStorageCacheName": .harmless(.recorder),
    "content": .either([
      .text,
      [
        "text": .whole, "encoding": .text, "mimeType": .harmless(.repeated), "size": .harmless(.measured),
        "compression": .harmless(.measured), "comment": .harmless(.words), "_isBinary": .harmless(.repeated),
        "_file": .text, "_sha1": .harmless(.repeated), "_encoding": .text,
      ],
    ]),
  ])

  private static let postData: KnownMembers = .either([
    .text,
    [
      "mimeType": .scalar, "text": .whole, "encoding": .text, "_encoding": .text, "comment": .harmless(.words),
      "params": .list(pair.and(.harmless(.repeated), "fileName contentType")), "_file": .text,
      "_sha1": .harmless(.repeated), "_isBinary": .harmless(.repeated),
    ],
  ])
  /// The reader reports the values that it cannot read.
  private static let fields = either([
    .list(["name": .text, "value": .whole, "comment": .harmless(.words), "_fromType": .harmless(.recorder)]),
    .named(.whole),
  ])
  private static let pair: KnownMembers = [
    "name": .text, "value": .scalar, "comment": .harmless(.words), "_fromType": .harmless(.recorder),
  ]
  /// The reader compares the names with the header fields.
  private static let cookies = either([.list(cookie), .named(.harmless(.repeated))])
  private static let cookie = pair.and(.harmless(.repeated), "path domain expires httpOnly secure sameSite _sameSite")

  private static let program: KnownMembers = [
    "name": .harmless(.recorder), "version": .harmless(.recorder), "comment": .harmless(.words),
  ]
  private static let page = KnownMembers.object([
    "pageTimings": KnownMembers.object([:]).and(
      .harmless(.measured),
      "onContentLoad onLoad comment _domContentLoadedTime _domInteractiveTime _firstPaint _startRender _onStartRender "
        + "_onCreate _ctime _dtime _ptime _rtime _ttime")
  ]).and(
    .harmless(.recorder),
    "startedDateTime id title comment index _frameId _timestamp _wallTime _meta _cpu _visualMetrics _id _URL _run")
  private static let timings = KnownMembers.object([:]).and(
    .harmless(.measured),
    "blocked dns connect send wait receive ssl comment _blocked_queueing _blocked_proxy _queued "
      + "_workerStart _workerReady _workerFetchStart _workerRespondWithSettled")
  private static let cache: KnownMembers = {
    let state = KnownMembers.object([:]).and(.harmless(.recorder), "expires lastAccess eTag hitCount comment")
    return ["beforeRequest": state, "afterRequest": state, "comment": .harmless(.words)]
  }()

  /// The extensions of Chrome, Safari, Firefox and Playwright.
  private static let ofBrowsers =
    "_connectionId _fromCache _initiator _priority _initialPriority _resourceType _fetchType _frameId _frameref "
    + "_monotonicTime _serverPort _securityDetails _apiRequest _isHTTPS _wasFulfilled _wasAborted _wasContinued "
    + "_requestref _connectionReused _requestId _requestTime _requestSentTime _requestWillBeSentTime "
    + "_receiveHeadersEnd _dataReceivedTime _responseReceivedTime _loadingFinishedTime _totalRequestTime _wallTime"

  /// The extensions of Charles, Proxyman, mitmproxy and PollyJS.
  private static let ofProxies =
    "_id _order _name _clientName _clientAddress _clientPort _serverAddress _remoteDeviceIP _isIntercepted "
    + "_phase _disposition _mainRequest"

  /// The extensions of WebPageTest, which writes all columns of its tables for each request.
  private static let ofWebPageTest =
    "_initiator_line _initiator_column _initiator_function_name _initiator_script_id _initiator_detail _initiator_type "
    + "_ip_addr _method _host _url _full_url _is_secure _responseCode _load_ms _ttfb_ms _all_ms _load_start _load_end "
    + "_ttfb_start _ttfb_end _download_start _download_end _download_ms _bytesOut _bytesIn _objectSize "
    + "_objectSizeUncompressed _expires _cacheControl _contentType _contentEncoding _type _socket _protocol "
    + "_dns_start _dns_end _dns_ms _connect_start _connect_end _connect_ms _ssl_start _ssl_end _ssl_ms "
    + "_gzip_total _gzip_save _minify_total _minify_save _image_total _image_save _cache_time _cdn_provider "
    + "_server_count _server_rtt _client_port _jpeg_scan_count _score_cache _score_cdn _score_gzip _score_cookies "
    + "_score_keep-alive _score_minify _score_combine _score_compress _score_etags _score_progressive_jpeg "
    + "_was_pushed _priority _initial_priority _index _number _request_id _raw_id _documentURL _renderBlocking "
    + "_final_base_page _is_base_page _body_id _body_hash _body_url _certificate_bytes _chunks _created _queued "
    + "_http2_stream_id _http2_stream_dependency _http2_stream_weight _http2_stream_exclusive _http2_server_settings "
    + "_netlog_id _tls_version _tls_cipher_suite _tls_resumed _tls_next_proto _securityDetails _run _cached _page_id "
    + "_frame_id _lastModified _etag _cookies _referer _subtypes _wpt_headers"

  // MARK: The members of WireMock and Postman

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

  // MARK: The members of VCR, nock, DVR and Hoverfly

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
