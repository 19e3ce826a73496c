public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// All that a delegate can decide, with the signatures of kean's Get: each of the six protocols that refine ``ClientDelegate``.
///
/// None of them has a default: a method whose name or type is misspelt does not conform, instead of never being called.
/// A delegate that decides one thing conforms to the protocol of that thing alone.
public typealias APIClientDelegate =
  SendDelegate & ValidationDelegate & RetryDelegate & URLDelegate & EncoderDelegate & DecoderDelegate

/// A delegate of a client; conform to those of its refinements that you need, never to this alone.
public protocol ClientDelegate: Sendable {}

/// Changes each request before it is sent.
public protocol SendDelegate: ClientDelegate {
  /// Changes a request just before it is sent, at each attempt.
  func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws
}

/// Decides which answers are successes; without one, those with a status from 200 to 299 are.
public protocol ValidationDelegate: ClientDelegate {
  /// Throws when an answer is not a success; whatever it throws is thrown to who sent the request.
  func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data, task: URLSessionTask) throws
}

/// Decides which failed requests are sent again; without one, those that ``APIClient/Configuration/retry`` names are.
public protocol RetryDelegate: ClientDelegate {
  /// Tells whether to send a request again after so many attempts; throws to end with another error.
  ///
  /// It is not asked about answers that do not decode, nor about requests that could not be made.
  func client(
    _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
  ) async throws -> Bool
}

/// Makes the URL of each request; without one, it is path and query under the base URL.
public protocol URLDelegate: ClientDelegate {
  /// Returns the URL of a request, or nil for the usual one.
  func client<T>(_ client: APIClient, makeURLForRequest request: Request<T>) throws -> URL?
}

/// Chooses an encoder by the request; without one, it is the client's.
public protocol EncoderDelegate: ClientDelegate {
  /// Returns what encodes the body of a request, or nil for the client's encoder.
  func client<T>(_ client: APIClient, encoderForRequest request: Request<T>) -> JSONEncoder?
}

/// Chooses a decoder by the request; without one, it is the client's.
public protocol DecoderDelegate: ClientDelegate {
  /// Returns what decodes the answer to a request, or nil for the client's decoder.
  func client<T>(_ client: APIClient, decoderForRequest request: Request<T>) -> JSONDecoder?
}

extension ClientDelegate {
  /// The reason why this delegate would never be called; nil if it would.
  var obstacle: String? {
    switch self {
    case is any SendDelegate, is any ValidationDelegate, is any RetryDelegate: nil
    case is any URLDelegate, is any EncoderDelegate, is any DecoderDelegate: nil
    default: "\(type(of: self)) would never be called: conform it to SendDelegate, RetryDelegate or another of them"
    }
  }
}
