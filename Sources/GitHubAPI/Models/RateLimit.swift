public import APIClientKit
public import Foundation

/// A rate limit of GitHub, with the number of remaining requests.
public struct RateLimit: Hashable, Sendable {
  /// The maximum number of requests in a period.
  public let limit: Int
  /// The number of requests that remain in the current period.
  public let remaining: Int
  /// The start of the next period.
  public let reset: Date
  /// The kind of requests to which the limit applies, such as `core` or `search`.
  public let resource: String?

  /// Creates a limit.
  public init(limit: Int, remaining: Int, reset: Date, resource: String? = nil) {
    (self.limit, self.remaining, self.reset, self.resource) = (limit, remaining, reset, resource)
  }

  /// Parses the header fields of a response; nil if they contain no rate limit.
  public init?(_ header: (String) -> String?) {
    guard let limit = header("X-RateLimit-Limit").flatMap({ Int($0) }),
      let remaining = header("X-RateLimit-Remaining").flatMap({ Int($0) }),
      let reset = header("X-RateLimit-Reset").flatMap({ Double($0) })
    else { return nil }
    (self.limit, self.remaining, self.reset) = (limit, remaining, Date(timeIntervalSince1970: reset))
    resource = header("X-RateLimit-Resource")
  }
}

/// The limits of all kinds of requests.
public struct RateLimits: Decodable, Hashable, Sendable {
  /// The limits by kind of request, such as `core` and `search`.
  public let resources: [String: RateLimit]

  /// Creates limits.
  public init(resources: [String: RateLimit]) { self.resources = resources }

  /// Decodes the body of `/rate_limit`, in which times are in seconds since 1970.
  public init(from decoder: any Decoder) throws {
    struct Body: Decodable {
      let resources: [String: Limit]
    }
    struct Limit: Decodable {
      let limit: Int
      let remaining: Int
      let reset: Double
    }
    let limits = try Body(from: decoder).resources.map { name, limit in
      let reset = Date(timeIntervalSince1970: limit.reset)
      return (name, RateLimit(limit: limit.limit, remaining: limit.remaining, reset: reset, resource: name))
    }
    resources = Dictionary(uniqueKeysWithValues: limits)
  }
}

extension Response {
  /// The rate limit after this request; nil if the response contains none.
  public var rateLimit: RateLimit? { RateLimit(header) }
}
