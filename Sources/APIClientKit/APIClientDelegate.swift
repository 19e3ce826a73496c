public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// All decisions of a delegate, with the signatures of kean's Get: the six protocols that refine ``ClientDelegate``.
///
/// No method has a default implementation. A method with a misspelled name or a wrong type therefore fails to compile. A
/// delegate that makes only one decision conforms to only that protocol.
public typealias APIClientDelegate =
  SendDelegate & ValidationDelegate & RetryDelegate & URLDelegate & EncoderDelegate & DecoderDelegate

/// A delegate of a client.
///
/// Types conform to the refinements of this protocol, never to this protocol alone.
public protocol ClientDelegate: Sendable {}

/// A delegate that changes requests before they are sent.
public protocol SendDelegate: ClientDelegate {
  /// Changes a request directly before each attempt.
  func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws
}

/// A delegate that decides whether a response is a success.
///
/// Without it, a status from 200 to 299 is a success.
public protocol ValidationDelegate: ClientDelegate {
  /// Throws an error if the response is not a success.
  ///
  /// The caller of the client receives this error.
  func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data, task: URLSessionTask) throws
}

/// A delegate that decides whether a failed request is repeated, in addition to ``APIClient/Configuration/retry``.
public protocol RetryDelegate: ClientDelegate {
  /// Returns true to repeat a request, or throws a different error to end it.
  ///
  /// Responses that cannot be decoded and requests that could not be created are not repeated.
  ///
  /// - Parameters:
  ///   - client: The client that sends the request.
  ///   - task: The task of the failed attempt.
  ///   - error: The error of the failed attempt.
  ///   - attempts: The number of attempts so far.
  /// - Returns: True to repeat the request.
  /// - Throws: The error to throw instead of the failed attempt's.
  func client(
    _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
  ) async throws -> Bool
}

/// A delegate that creates the URLs of requests.
///
/// Without it, path and query are appended to the base URL.
public protocol URLDelegate: ClientDelegate {
  /// Returns the URL of a request; nil to use the default.
  func client<T>(_ client: APIClient, makeURLForRequest request: Request<T>) throws -> URL?
}

/// A delegate that selects an encoder for each request.
///
/// Without it, the client's encoder is used.
public protocol EncoderDelegate: ClientDelegate {
  /// Returns the encoder for the body of a request; nil to use that of the client.
  func client<T>(_ client: APIClient, encoderForRequest request: Request<T>) -> JSONEncoder?
}

/// A delegate that selects a decoder for each request.
///
/// Without it, the client's decoder is used.
public protocol DecoderDelegate: ClientDelegate {
  /// Returns the decoder for the response to a request; nil to use that of the client.
  func client<T>(_ client: APIClient, decoderForRequest request: Request<T>) -> JSONDecoder?
}

extension ClientDelegate {
  /// The reason why no method of this delegate would be called; nil if it conforms to a refinement.
  var obstacle: String? {
    switch self {
    case is any SendDelegate, is any ValidationDelegate, is any RetryDelegate: nil
    case is any URLDelegate, is any EncoderDelegate, is any DecoderDelegate: nil
    default: "\(type(of: self)) is never called: conform it to SendDelegate, RetryDelegate or another delegate protocol"
    }
  }
}
