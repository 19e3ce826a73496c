extension Request {
  /// Creates a `GET` request, which retrieves a resource.
  public static func get(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Creates a `HEAD` request, which retrieves only the header fields.
  public static func head(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Creates an `OPTIONS` request, which retrieves the supported methods.
  public static func options(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Creates a `TRACE` request, which retrieves the request as received.
  public static func trace(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Creates a `POST` request, which submits content for processing.
  public static func post(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Creates a `PUT` request, which replaces a resource.
  public static func put(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Creates a `PATCH` request, which modifies a resource.
  public static func patch(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Creates a `DELETE` request, which removes a resource; some APIs require a body.
  public static func delete(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}

/// Factories of requests with a query whose names do not repeat.
extension Request {
  /// Creates a `GET` request with a query whose names do not repeat.
  public static func get(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Creates a `HEAD` request with a query whose names do not repeat.
  public static func head(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Creates an `OPTIONS` request with a query whose names do not repeat.
  public static func options(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Creates a `TRACE` request with a query whose names do not repeat.
  public static func trace(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Creates a `POST` request with a query whose names do not repeat.
  public static func post(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Creates a `PUT` request with a query whose names do not repeat.
  public static func put(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Creates a `PATCH` request with a query whose names do not repeat.
  public static func patch(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Creates a `DELETE` request with a query whose names do not repeat.
  public static func delete(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}

/// Factories of requests whose response is not decoded, for calls that do not specify a response type.
extension Request where Response == Void {
  /// Creates a `GET` request, which retrieves a resource.
  public static func get(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Creates a `HEAD` request, which retrieves only the header fields.
  public static func head(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Creates an `OPTIONS` request, which retrieves the supported methods.
  public static func options(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Creates a `TRACE` request, which retrieves the request as received.
  public static func trace(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Creates a `POST` request, which submits content for processing.
  public static func post(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Creates a `PUT` request, which replaces a resource.
  public static func put(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Creates a `PATCH` request, which modifies a resource.
  public static func patch(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Creates a `DELETE` request, which removes a resource; some APIs require a body.
  public static func delete(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}
