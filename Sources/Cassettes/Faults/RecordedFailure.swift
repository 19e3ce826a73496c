/// The failure of an exchange, with a code of `URLError`.
public struct RecordedFailure: Hashable, Sendable {
  /// The error code in the domain of `URLError`: -1001.
  public var code: Int
  /// The name of the code, such as `timedOut`, or `notCaptured: REASON` for an exchange whose answer is unknown.
  public var name: String

  /// Creates a failure.
  ///
  /// By default, the name is the standard name of the code.
  public init(code: Int, name: String? = nil) {
    self.code = code
    self.name = name ?? Self.known.first { $0.code == code }?.name ?? "unknown"
  }

  /// The failure of an answer that is not HTTP.
  package static let garbage = RecordedFailure(code: -1017, name: "garbage")

  /// Creates a failure for an exchange whose answer is unknown: a request that matches it is a miss, and no other
  /// recording answers.
  ///
  /// - Parameter reason: The reason as readable text, which names the kind of content but quotes none of it.
  /// - Returns: The failure.
  public static func notCaptured(_ reason: String) -> RecordedFailure {
    RecordedFailure(code: 0, name: "\(notCaptured): \(reason)")
  }

  /// The text `not captured: REASON` if the answer is unknown; nil for a failure that can be played.
  package var gap: String? {
    guard Self.isGap(name) else { return nil }
    return "not captured" + name.dropFirst(Self.notCaptured.count)
  }

  private static let notCaptured = "notCaptured"

  private static func isGap(_ name: String) -> Bool { name == notCaptured || name.hasPrefix("\(notCaptured): ") }

  static func code(named name: String) -> Int? {
    isGap(name) ? 0 : known.first { $0.name == name }?.code
  }

  static var names: [String] { known.map(\.name) + [notCaptured] }

  /// The codes that Foundation declares in `URLError.Code`.
  private static let known: [(code: Int, name: String)] = [
    (-1, "unknown"), (-999, "cancelled"), (-1000, "badURL"), (-1001, "timedOut"), (-1002, "unsupportedURL"),
    (-1003, "cannotFindHost"), (-1004, "cannotConnectToHost"), (-1005, "networkConnectionLost"),
    (-1006, "dnsLookupFailed"), (-1007, "httpTooManyRedirects"), (-1008, "resourceUnavailable"),
    (-1009, "notConnectedToInternet"), (-1010, "redirectToNonExistentLocation"), (-1011, "badServerResponse"),
    (-1012, "userCancelledAuthentication"), (-1013, "userAuthenticationRequired"), (-1014, "zeroByteResource"),
    (-1015, "cannotDecodeRawData"), (-1016, "cannotDecodeContentData"), (-1017, "cannotParseResponse"),
    (-1018, "internationalRoamingOff"), (-1019, "callIsActive"), (-1020, "dataNotAllowed"),
    (-1021, "requestBodyStreamExhausted"), (-1022, "appTransportSecurityRequiresSecureConnection"),
    (-1103, "dataLengthExceedsMaximum"), (-1200, "secureConnectionFailed"), (-1201, "serverCertificateHasBadDate"),
    (-1202, "serverCertificateUntrusted"), (-1203, "serverCertificateHasUnknownRoot"),
    (-1204, "serverCertificateNotYetValid"), (-1205, "clientCertificateRejected"),
    (-1206, "clientCertificateRequired"),
  ]
}
