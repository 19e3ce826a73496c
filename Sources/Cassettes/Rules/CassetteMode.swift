/// The mode of playback: replay, record, or record only missing recordings.
public enum CassetteMode: String, CaseIterable, Hashable, Sendable {
  /// Recordings answer, and other requests are misses.
  ///
  /// Nothing is sent to the network, and nothing is written.
  case replay
  /// Recordings answer; other requests are sent to the network and added to the cassette.
  case recordMissing = "record-missing"
  /// All requests are sent to the network and recorded again.
  case record

  /// The name of the environment variable for the mode.
  public static let variable = "CASSETTE_MODE"
  /// The name of the environment variable that allows recording on a CI machine, if its value is `true`.
  public static let recordingInCIVariable = "CASSETTE_RECORD_IN_CI"

  /// True if the mode may send requests to the network and write to a cassette.
  public var records: Bool { self == .record || self == .recordMissing }

  /// Returns the mode to use: `replay` if the code specifies it, else the value of `CASSETTE_MODE`, else the mode in
  /// the code, else `replay`.
  ///
  /// Specify `replay` in code to protect a handwritten cassette from a run that records.
  /// If `CI` is set, recording must be enabled twice: in code and with `CASSETTE_MODE`, or with `CASSETTE_MODE` and
  /// `CASSETTE_RECORD_IN_CI=true`. Throws an error if it is enabled only once, or if the variable is not a mode.
  public static func resolved(
    _ code: CassetteMode? = nil, environment: [String: String]
  ) throws(CassetteModeError) -> CassetteMode {
    var told: CassetteMode?
    if let text = environment[variable], !text.isEmpty {
      guard let mode = CassetteMode(named: text) else { throw CassetteModeError(unknown: text) }
      told = mode
    }
    let mode = code == .replay ? .replay : told ?? code ?? .replay
    guard mode.records, isOn(environment["CI"]), !isOn(environment[recordingInCIVariable]) else { return mode }
    guard let told, let code, told.records, code.records else { throw CassetteModeError(refusing: mode, told: told) }
    return mode
  }

  /// Returns true if `CASSETTE_MODE` is `refresh`: unchanged recordings get the current date.
  package static func renewsDates(_ environment: [String: String]) -> Bool {
    environment[variable]?.lowercased() == refreshing
  }

  fileprivate static let refreshing = "refresh"

  /// Parses the name of a mode, such as `record-missing`, ignoring case, with hyphens or underscores.
  public init?(named name: String) {
    let name = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    let others: [String: CassetteMode] = ["recordmissing": .recordMissing, Self.refreshing: .record]
    guard let mode = CassetteMode(rawValue: name) ?? others[name] else { return nil }
    self = mode
  }

  /// Returns true if the value of an environment variable enables a setting.
  package static func isOn(_ value: String?) -> Bool {
    guard let value = value?.lowercased() else { return false }
    return !["", "0", "false", "no", "off"].contains(value)
  }
}

/// The error for an invalid mode, with a suggestion.
public struct CassetteModeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the error with a suggestion.
  public var description: String

  init(unknown text: String) {
    let names = CassetteMode.allCases.map(\.rawValue) + [CassetteMode.refreshing]
    let suggestion = nearest(to: text.lowercased(), among: names).map { ": did you mean \($0)?" }
    description =
      "\(CassetteMode.variable)=\(text) is not a mode" + (suggestion ?? "; use one of \(names.joined(separator: ", "))")
  }

  init(refusing mode: CassetteMode, told: CassetteMode?) {
    let source = told == nil ? "the code" : "\(CassetteMode.variable)=\(mode.rawValue)"
    let next =
      told == nil
      ? "\(CassetteMode.variable)=\(mode.rawValue) as well" : "\(CassetteMode.recordingInCIVariable)=true as well"
    description = "CI is set: not recording, although \(source) requests it; to record here, set \(next)"
  }
}
