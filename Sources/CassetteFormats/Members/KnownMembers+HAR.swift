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
}
