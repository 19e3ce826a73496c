internal import CMockServerInspector
internal import CassetteHTTP

/// The inspector, a page that uses only the calls of this API.
extension ControlAPI {
  /// A file of the inspector.
  enum PageFile: String, CaseIterable, Sendable {
    case page = "/__mock/"
    case script = "/__mock/inspector.js"
    case style = "/__mock/inspector.css"

    /// The media type of the file.
    var mediaType: String {
      switch self {
      case .page: "text/html; charset=utf-8"
      case .script: "text/javascript; charset=utf-8"
      case .style: "text/css; charset=utf-8"
      }
    }

    /// The content of the file.
    var bytes: [UInt8] {
      func copied(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
      }
      return switch self {
      case .page: copied(mockserver_inspector_html(), mockserver_inspector_html_count())
      case .script: copied(mockserver_inspector_js(), mockserver_inspector_js_count())
      case .style: copied(mockserver_inspector_css(), mockserver_inspector_css_count())
      }
    }
  }

  /// Allows only the inspector's script and style sheet, no embedding in frames, and recorded images as data or blob
  /// URLs.
  static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

  /// Returns a file of the inspector.
  func page(_ file: PageFile) -> ControlAnswer {
    var response = ControlResponse.bytes(file.bytes, type: file.mediaType)
    response.headers.append("Content-Security-Policy", Self.contentSecurityPolicy)
    response.headers.append("X-Frame-Options", "DENY")
    response.headers.append("Referrer-Policy", "no-referrer")
    response.headers.append("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
    return .response(response)
  }
}
