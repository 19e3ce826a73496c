internal import CMockServerInspector
internal import CassetteHTTP

/// The inspector: a page that does what it does by the calls of this API alone.
extension ControlAPI {
  /// A file of the page.
  enum PageFile: String, CaseIterable, Sendable {
    case page = "/__mock/"
    case script = "/__mock/inspector.js"
    case style = "/__mock/inspector.css"

    /// The media type.
    var mediaType: String {
      switch self {
      case .page: "text/html; charset=utf-8"
      case .script: "text/javascript; charset=utf-8"
      case .style: "text/css; charset=utf-8"
      }
    }

    /// The content.
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

  /// Nothing but the page's own two files runs or paints in it; nobody frames it; recorded images come as blobs.
  static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

  /// A file of the page.
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
