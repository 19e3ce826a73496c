import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The properties of a task that a protocol needs and that have no public API.
enum SessionTask {
  /// The source of a request's body.
  enum Content {
    case bytes([UInt8])
    case file(URL)
    case stream(InputStream)
    /// The delegate must be asked for a stream.
    case asked(any URLSessionTaskDelegate, URLSession)
  }

  #if canImport(FoundationNetworking)
    /// Returns the only queue on which a protocol may call its client.
    static func workQueue(of task: URLSessionTask) -> DispatchQueue? {
      Reflection.property("workQueue", of: task) as? DispatchQueue
    }

    static func session(of task: URLSessionTask) -> URLSession? {
      Reflection.property("session", of: task) as? URLSession
    }

    /// Returns true if a delegate receives each part of the data; a completion handler would receive only the last
    /// part.
    static func takesPieces(_ task: URLSessionTask) -> Bool {
      guard let session = session(of: task), session.delegate != nil, let behaviour = behaviour(of: task, in: session)
      else { return false }
      return behaviour.name == "callDelegate"
    }

    /// Returns the delegate for redirects: the task's own, or else the session's.
    ///
    /// The session's delegate also receives those of tasks with a completion handler.
    static func delegate(of task: URLSessionTask, in session: URLSession) -> (any URLSessionTaskDelegate)? {
      guard let behaviour = behaviour(of: task, in: session) else { return nil }
      if behaviour.name == "callDelegate" { return session.delegate as? any URLSessionTaskDelegate }
      if let payload = behaviour.payload {
        for child in Mirror(reflecting: payload).children {
          if let delegate = child.value as? any URLSessionTaskDelegate { return delegate }
        }
      }
      return session.delegate as? any URLSessionTaskDelegate
    }

    private static func behaviour(of task: URLSessionTask, in session: URLSession) -> (name: String, payload: Any?)? {
      guard let registry = Reflection.property("taskRegistry", of: session),
        let behaviours = Reflection.property("behaviours", of: registry as AnyObject) as? [Int: Any],
        let behaviour = behaviours[task.taskIdentifier]
      else { return nil }
      return Reflection.enumCase(of: behaviour)
    }

    static func content(of task: URLSessionTask?, _ request: URLRequest) -> Content {
      if let body = request.httpBody { return .bytes(Array(body)) }
      if let stream = request.httpBodyStream { return .stream(stream) }
      guard let task = task as? URLSessionUploadTask else { return .bytes([]) }
      guard let known = Reflection.property("knownBody", of: task), let body = Reflection.enumCase(of: known) else {
        guard let session = session(of: task), let delegate = session.delegate as? any URLSessionTaskDelegate else {
          return .bytes([])
        }
        return .asked(delegate, session)
      }
      switch (body.name, body.payload) {
      case ("data", let data as DispatchData):
        var bytes = [UInt8](repeating: 0, count: data.count)
        bytes.withUnsafeMutableBytes { data.copyBytes(to: $0, count: data.count) }
        return .bytes(bytes)
      case ("file", let url as URL): return .file(url)
      case ("stream", let stream as InputStream): return .stream(stream)
      default: return .bytes([])
      }
    }
  #else
    /// Returns nil, because no public API leads from a task to its session.
    static func session(of task: URLSessionTask) -> URLSession? { nil }

    /// Returns true, because the loading system collects the parts for a completion handler.
    static func takesPieces(_ task: URLSessionTask) -> Bool { true }

    static func content(of task: URLSessionTask?, _ request: URLRequest) -> Content {
      // The loading system has converted any other body to a stream.
      if let body = request.httpBody { return .bytes(Array(body)) }
      return request.httpBodyStream.map { .stream($0) } ?? .bytes([])
    }
  #endif

  /// Reads a stream to its end; returns nil if it fails.
  ///
  /// May block, so it must be called on a separate queue.
  static func bytes(of stream: InputStream) -> [UInt8]? {
    stream.open()
    defer { stream.close() }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
