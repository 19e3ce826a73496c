extension Request {
  /// Asks for a representation.
  public static func get(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Asks for the header fields alone.
  public static func head(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Asks which methods are possible.
  public static func options(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Asks for the request as it arrived.
  public static func trace(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Hands over content to be processed.
  public static func post(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Replaces a representation.
  public static func put(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Changes a part of a representation.
  public static func patch(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Removes a representation; some APIs want a body that says which.
  public static func delete(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}

/// The same, with a query whose names do not repeat.
extension Request {
  /// Asks for a representation, with a query by name.
  public static func get(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Asks for the header fields alone, with a query by name.
  public static func head(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Asks which methods are possible, with a query by name.
  public static func options(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Asks for the request as it arrived, with a query by name.
  public static func trace(_ path: String, query: [String: String], headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Hands over content to be processed, with a query by name.
  public static func post(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Replaces a representation, with a query by name.
  public static func put(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Changes a part of a representation, with a query by name.
  public static func patch(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Removes a representation, with a query by name.
  public static func delete(
    _ path: String, query: [String: String], body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}

/// The same, for an answer that is not decoded, where nothing else says of what type it is.
extension Request where Response == Void {
  /// Asks for a representation.
  public static func get(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .get, query: query, headers: headers)
  }
  /// Asks for the header fields alone.
  public static func head(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .head, query: query, headers: headers)
  }
  /// Asks which methods are possible.
  public static func options(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .options, query: query, headers: headers)
  }
  /// Asks for the request as it arrived.
  public static func trace(_ path: String, query: Query? = nil, headers: [String: String]? = nil) -> Request {
    Request(path: path, method: .trace, query: query, headers: headers)
  }
  /// Hands over content to be processed.
  public static func post(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .post, query: query, body: body, headers: headers)
  }
  /// Replaces a representation.
  public static func put(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .put, query: query, body: body, headers: headers)
  }
  /// Changes a part of a representation.
  public static func patch(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .patch, query: query, body: body, headers: headers)
  }
  /// Removes a representation; some APIs want a body that says which.
  public static func delete(
    _ path: String, query: Query? = nil, body: Body? = nil, headers: [String: String]? = nil
  ) -> Request {
    Request(path: path, method: .delete, query: query, body: body, headers: headers)
  }
}
