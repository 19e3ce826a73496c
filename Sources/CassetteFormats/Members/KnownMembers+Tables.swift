extension KnownMembers {
  /// The members of each format, in a notation with one definition per name.
  ///
  /// `{a b: T}` is an object with two members of one form, `[T]` a list, `<T>` an object whose member names are data,
  /// `T | U` are alternatives, and `T & {…}` adds members. Capitalized names refer to earlier definitions.
  private static let tables = """
    Values = scalar | [scalar]

    Program = {name version comment: harmless}
    Pair = {name: text, value: scalar, comment _fromType: harmless}
    Fields = [{name: text, value: whole, comment _fromType: harmless}] | <whole>
    Cookies = [Pair & {path domain expires httpOnly secure sameSite _sameSite: harmless}] | <harmless>
    CacheState = {expires lastAccess eTag hitCount comment: harmless}
    Page = {
      pageTimings: {
        onContentLoad onLoad comment _domContentLoadedTime _domInteractiveTime _firstPaint _startRender _onStartRender
        _onCreate _ctime _dtime _ptime _rtime _ttime: harmless
      },
      startedDateTime id title comment index _frameId _timestamp _wallTime _meta _cpu _visualMetrics _id _URL
      _run: harmless
    }
    HAR = {log: {
      version comment _recordingName: harmless, creator browser: Program, pages: [Page], _mockserver: whole
    }}
    HARRequest = {
      method url: text, headers: Fields, cookies: Cookies, queryString: [Pair] | <Values>,
      postData: text | {
        mimeType: scalar, text: whole, encoding _encoding _file: text, comment _sha1 _isBinary: harmless,
        params: [Pair & {fileName contentType: harmless}]
      },
      httpVersion headersSize bodySize comment _initialPriority _priority _timestamp: harmless
    }
    HARResponse = {
      status: scalar, statusText: text, headers: Fields, cookies: Cookies, _error: foreign,
      content: text | {
        text: whole, encoding _encoding _file: text, mimeType size compression comment _isBinary _sha1: harmless
      },
      httpVersion redirectURL headersSize bodySize comment _transferSize _charlesStatus _fetchedViaServiceWorker
      _serviceWorkerResponseSource _serviceWorkerRouterInfo _responseCacheStorageCacheName: harmless
    }
    HAREntry = {
      startedDateTime time: scalar, request: HARRequest, response: HARResponse, _error: foreign,
      _mockserver _webSocketMessages: whole, cache: {beforeRequest afterRequest: CacheState, comment: harmless},
      timings: {
        blocked dns connect send wait receive ssl comment _blocked_queueing _blocked_proxy _queued
        _workerStart _workerReady _workerFetchStart _workerRespondWithSettled: harmless
      },
      serverIPAddress connection pageref comment: harmless,
      _connectionId _fromCache _initiator _priority _initialPriority _resourceType _fetchType _frameId _frameref
      _monotonicTime _serverPort _securityDetails _apiRequest _isHTTPS _wasFulfilled _wasAborted _wasContinued
      _requestref _connectionReused _requestId _requestTime _requestSentTime _requestWillBeSentTime
      _receiveHeadersEnd _dataReceivedTime _responseReceivedTime _loadingFinishedTime _totalRequestTime _wallTime
      _id _order _name _clientName _clientAddress _clientPort _serverAddress _remoteDeviceIP _isIntercepted
      _phase _disposition _mainRequest
      _initiator_line _initiator_column _initiator_function_name _initiator_script_id _initiator_detail _initiator_type
      _ip_addr _method _host _url _full_url _is_secure _responseCode _load_ms _ttfb_ms _all_ms _load_start _load_end
      _ttfb_start _ttfb_end _download_start _download_end _download_ms _bytesOut _bytesIn _objectSize
      _objectSizeUncompressed _expires _cacheControl _contentType _contentEncoding _type _socket _protocol
      _dns_start _dns_end _dns_ms _connect_start _connect_end _connect_ms _ssl_start _ssl_end _ssl_ms
      _gzip_total _gzip_save _minify_total _minify_save _image_total _image_save _cache_time _cdn_provider
      _server_count _server_rtt _client_port _jpeg_scan_count _score_cache _score_cdn _score_gzip _score_cookies
      _score_keep-alive _score_minify _score_combine _score_compress _score_etags _score_progressive_jpeg
      _was_pushed _initial_priority _index _number _request_id _raw_id _documentURL _renderBlocking
      _final_base_page _is_base_page _body_id _body_hash _body_url _certificate_bytes _chunks _created
      _http2_stream_id _http2_stream_dependency _http2_stream_weight _http2_stream_exclusive _http2_server_settings
      _netlog_id _tls_version _tls_cipher_suite _tls_resumed _tls_next_proto _run _cached _page_id
      _frame_id _lastModified _etag _cookies _referer _subtypes _wpt_headers _queued: harmless
    }

    WireMock = {
      id uuid name metadata persistent: harmless, insertionIndex priority: scalar,
      scenarioName requiredScenarioState newScenarioState: text,
      newScenarioName postServeActions serveEventListeners: foreign,
      request: {
        method queryParameters formParameters pathParameters headers cookies host multipartPatterns: whole,
        url urlPath urlPattern urlPathPattern urlPathTemplate scheme: text, port: scalar,
        basicAuthCredentials: {username password: scalar},
        bodyPatterns: [{
          ignoreExtraElements ignoreArrayOrder: scalar, binaryEqualTo schemaVersion: text,
          equalToJson matchesJsonPath matchesJsonSchema equalTo contains doesNotContain matches doesNotMatch absent and
          or not caseInsensitive expression before after includes hasExactly anything equalToNumber greaterThanNumber
          greaterThanEqualNumber lessThanNumber lessThanEqualNumber: whole
        }]
      },
      response: {
        status fixedDelayMilliseconds proxyBaseUrl: scalar, statusMessage base64Body bodyFileName fault: text,
        headers: <Values>, transformers: Values, body jsonBody delayDistribution transformerParameters: whole,
        chunkedDribbleDelay: {numberOfChunks totalDuration: scalar}, fromConfiguredStub: harmless,
        additionalProxyRequestHeaders removeProxyRequestHeaders proxyUrlPrefixToRemove: foreign
      }
    }
    WireMockFile = {mappings: [WireMock], meta: harmless, importOptions: foreign}

    PostmanPair = {
      key value disabled: scalar,
      id name description type uuid enabled system contentType src equals: harmless
    }
    PostmanHeader = text | [text | PostmanPair]
    PostmanRequest = text | {
      method: text, header: PostmanHeader, description: harmless, auth proxy certificate: foreign,
      url: text | {
        raw protocol: text, host path: whole, port hash: scalar, query variable: [PostmanPair]
      },
      body: text | {
        mode raw: text, urlencoded: text | [PostmanPair], disabled: scalar, options: harmless, formdata file: whole,
        graphql: {query operationName: text, variables: whole}
      }
    }
    Postman = {
      info: {
        name description schema version _postman_id _exporter_id _collection_link id createdAt updatedAt: harmless
      },
      item: whole, event auth protocolProfileBehavior: foreign,
      variable: [{key id: text, value: scalar, type name description disabled system: harmless}]
    }
    PostmanItem = {
      item response: whole, request: PostmanRequest, event auth variable protocolProfileBehavior: foreign,
      id uid name description _postman_id _postman_isSubFolder: harmless
    }
    PostmanExample = {
      originalRequest: PostmanRequest, code responseTime: scalar, status body: text, header: PostmanHeader,
      responseCode: whole, cookie: foreign,
      timings id uid name description type _postman_id _postman_previewlanguage _postman_previewtype previewlanguage
      previewType: harmless
    }

    VCR = {recorded_with version recorded_at: harmless}
    VCRInteraction = {
      request: {
        method uri url: text, headers: <Values> | [whole], body parsed_body: whole,
        proto proto_major proto_minor transfer_encoding trailer remote_addr content_length host request_uri
        form: harmless
      },
      response: {
        status: scalar | {code message: scalar}, status_code code: scalar, headers: <Values> | [whole],
        body content parsed_body: whole, adapter_metadata: foreign,
        proto proto_major proto_minor transfer_encoding trailer http_version uncompressed content_length url
        duration: harmless
      },
      recorded_at: scalar, id: harmless
    }

    Nock = {
      scope path method: text, port status reply responseIsBinary: scalar, body response: whole, reqheaders: <Values>,
      rawHeaders headers: [scalar] | <Values>, badheaders options: foreign
    }

    DVR = {name: harmless}
    DVRInteraction = {
      request: {url method: text, headers: <Values>, body: whole},
      response: {
        url: harmless, status: scalar, headers: <Values>, body: whole, error: {domain: text, code: scalar}
      },
      recorded_at: scalar
    }

    Hoverfly = {
      data: {globalActions: {delays delaysLogNormal: foreign}, literals variables: foreign},
      meta: {schemaVersion hoverflyVersion timeExported: harmless}
    }
    Matcher = {
      matcher: text, value doMatch: whole,
      config: {ignoreCase ignoreUnknown ignoreOrder: scalar, ignoreOccurrences: foreign}
    }
    Matchers = text | [text | Matcher] | whole
    HoverflyPair = {
      request: {
        method path scheme destination deprecatedQuery body: Matchers, query: text | [Matcher] | <Matchers>,
        headers headersWithMatchers queriesWithMatchers: <Matchers>, requiresState: <scalar>, requestType: harmless
      },
      response: {
        status encodedBody templated fixedDelay: scalar, body bodyFile: text, headers: <Values>,
        transitionsState: <scalar>, removesState: [scalar], postServeAction: foreign,
        logNormalDelay: {min max mean median: scalar}
      },
      labels: harmless
    }
    """

  /// Returns the definition with a name.
  static func table(_ name: String) -> KnownMembers { definitions[name] ?? .whole }

  private static let definitions: [String: KnownMembers] = {
    var parser = Parser(rest: tables[...])
    while !parser.rest.isEmpty {
      let name = parser.word()
      guard parser.take("=") else { break }
      parser.definitions[name] = parser.form()
    }
    return parser.definitions
  }()

  private struct Parser {
    var rest: Substring
    var definitions: [String: KnownMembers] = [
      "text": .text, "scalar": .scalar, "whole": .whole, "harmless": .harmless, "foreign": .foreign,
    ]

    mutating func take(_ token: Character) -> Bool {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.first == token else { return false }
      rest.removeFirst()
      return true
    }

    mutating func word() -> String {
      rest = rest.drop(while: \.isWhitespace)
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      rest = rest.dropFirst(word.count)
      return String(word)
    }

    mutating func form() -> KnownMembers {
      var forms = [single()]
      while take("|") { forms.append(single()) }
      return forms.count == 1 ? forms[0] : .either(forms)
    }

    private mutating func single() -> KnownMembers {
      var form = KnownMembers.whole
      if take("[") {
        form = .list(self.form())
        _ = take("]")
      } else if take("<") {
        form = .named(self.form())
        _ = take(">")
      } else if take("{") {
        form = .object(members())
      } else {
        form = definitions[word()] ?? .whole
      }
      if take("&"), take("{"), case .object(let own) = form { form = .object(own.merging(members()) { $1 }) }
      return form
    }

    private mutating func members() -> [String: KnownMembers] {
      var members: [String: KnownMembers] = [:]
      repeat {
        var names: [String] = []
        repeat { names.append(word()) } while !take(":") && !rest.isEmpty
        let member = form()
        for name in names { members[name] = member }
      } while take(",")
      _ = take("}")
      return members
    }
  }
}
