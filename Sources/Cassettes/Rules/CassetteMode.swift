/// The mode of a deck: it replays, records, or records only what is missing.
public enum CassetteMode: String, CaseIterable, Hashable, Sendable {
  /// Recordings answer, other requests are misses.
  ///
  /// Nothing goes to the network and nothing is written.
  case replay
  /// Recordings answer; other requests go to the network and are added to the cassette.
  case recordMissing = "record-missing"
  /// Everything goes to the network, and is recorded anew.
  case record
  /// Everything goes to the network, and nothing is written.
  case live

  /// The environment's variable for the mode.
  public static let variable = "CASSETTE_MODE"
  /// The variable that lets recording happen on a CI machine, when it is `true`.
  public static let recordingInCIVariable = "CASSETTE_RECORD_IN_CI"

  /// True if something may be written to a cassette.
  public var records: Bool { self == .record || self == .recordMissing }

  /// True if a request may leave the process.
  public var reachesNetwork: Bool { self != .replay }

  /// Returns the mode to play in: `replay` if the code says so, else the environment's `CASSETTE_MODE`, else the code's,
  /// else `replay`.
  ///
  /// `replay` in code protects a cassette that is written by hand from a run that records.
  /// On a machine with `CI` set, recording has to be asked for twice: by the code and by `CASSETTE_MODE`, or by
  /// `CASSETTE_MODE` and `CASSETTE_RECORD_IN_CI=true`. It throws when it was told only once there, or the variable
  /// holds no mode.
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

  /// True if `CASSETTE_MODE` is `refresh`: unchanged recordings get the current date.
  package static func renewsDates(_ environment: [String: String]) -> Bool {
    environment[variable]?.lowercased() == refreshing
  }

  fileprivate static let refreshing = "refresh"

  /// Reads a mode by its name, `record-missing`, in whatever case and with a hyphen or an underscore.
  public init?(named name: String) {
    let name = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    let others: [String: CassetteMode] = ["recordmissing": .recordMissing, Self.refreshing: .record]
    guard let mode = CassetteMode(rawValue: name) ?? others[name] else { return nil }
    self = mode
  }

  /// Tells whether a variable of the environment switches something on.
  package static func isOn(_ value: String?) -> Bool {
    guard let value = value?.lowercased() else { return false }
    return !["", "0", "false", "no", "off"].contains(value)
  }
}

/// The error of a mode that cannot be read, with what to type instead.
public struct CassetteModeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the error, and of what to type instead.
  public var description: String

  init(unknown text: String) {
    let names = CassetteMode.allCases.map(\.rawValue) + [CassetteMode.refreshing]
    let suggestion = nearest(to: text.lowercased(), among: names).map { ": did you mean \($0)?" }
    description =
      "\(CassetteMode.variable)=\(text) is no mode" + (suggestion ?? "; it is one of \(names.joined(separator: ", "))")
  }

  init(refusing mode: CassetteMode, told: CassetteMode?) {
    let source = told == nil ? "the code" : "\(CassetteMode.variable)=\(mode.rawValue)"
    let next =
      told == nil
      ? "\(CassetteMode.variable)=\(mode.rawValue) as well" : "\(CassetteMode.recordingInCIVariable)=true as well"
    description = "CI is set: not recording because only \(source) says so; to record here, set \(next)"
  }
}
