internal import CassetteSystem

/// The dates in header fields (RFC 9110 §5.6.7), converted from and to seconds since 1970 in UTC.
public enum HTTPDate {
  private static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let days = longDays.map { String($0.prefix(3)) }
  private static let longMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  package static let months = longMonths.map { String($0.prefix(3)) }

  /// Parses a date in any of the three formats that a recipient must accept.
  ///
  /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  /// - Returns: The seconds since 1970; nil if the text is not in one of the formats.
  public static func parse(_ text: String) -> Int? {
    parse(text, now: time(nil))
  }

  /// Parses a date.
  ///
  /// The current time `now` determines the century of a year with two digits.
  static func parse(_ text: String, now: Int) -> Int? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 6 where parts[5] == "GMT" && days.contains { parts[0] == $0 + "," }:
      return seconds(
        year: number(parts[3], digits: 4), month: parts[2], day: number(parts[1], digits: 2), time: parts[4])
    case 4 where parts[3] == "GMT" && longDays.contains { parts[0] == $0 + "," }:
      let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, let short = number(date[2], digits: 2) else { return nil }
      func inCentury(_ century: Int) -> Int? {
        seconds(year: century + short, month: date[1], day: number(date[0], digits: 2), time: parts[2])
      }
      // A date more than fifty years in the future is in the previous century (RFC 9110 §5.6.7).
      let thisYear = civil(days: now.quotient(by: 86_400)).year
      let century = thisYear - thisYear % 100
      let latest = fiftyYears(after: now)
      return [century + 100, century, century - 100].lazy.compactMap(inCentury).first { $0 <= latest }
    case 5 where days.contains(parts[0]):
      return seconds(
        year: number(parts[4], digits: 4), month: parts[1], day: number(parts[2], digits: 2), time: parts[3])
    case 6 where days.contains(parts[0]) && parts[2].isEmpty:
      return seconds(
        year: number(parts[5], digits: 4), month: parts[1], day: number(parts[3], digits: 1), time: parts[4])
    default:
      return nil
    }
  }

  /// Formats a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the format for senders.
  ///
  /// The year is limited to 0 to 9999.
  public static func format(_ seconds: Int) -> String {
    let moment = Moment(seconds: min(max(seconds, -62_167_219_200), 253_402_300_799))
    let date = "\(Moment.padded(moment.day)) \(moment.monthName) \(Moment.padded(moment.year, 4))"
    return "\(moment.weekday), \(date) \(moment.clock) GMT"
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text)
  }

  private static func seconds(year: Int?, month: String, day: Int?, time: String) -> Int? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
    guard let year, let day, let month = months.firstIndex(of: month).map({ $0 + 1 }), parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2],
      // The second 60 is a leap second.
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let dayNumber = Self.days(year: year, month: month, day: day)
    guard civil(days: dayNumber) == (year, month, day) else { return nil }
    return dayNumber * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func fiftyYears(after now: Int) -> Int {
    let day = now.quotient(by: 86_400)
    let date = civil(days: day)
    return days(year: date.year + 50, month: date.month, day: date.day) * 86_400 + (now - day * 86_400)
  }

  /// Returns the number of days since 1970, computed in 400-year cycles of the Gregorian calendar with years from
  /// March.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.quotient(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  fileprivate static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.quotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

extension HTTPDate {
  /// A time in UTC split into calendar and clock components.
  package struct Moment: Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    private let dayNumber: Int

    /// Creates the time that is a number of seconds after the start of 1970.
    package init(seconds: Int) {
      dayNumber = seconds.quotient(by: 86_400)
      (year, month, day) = HTTPDate.civil(days: dayNumber)
      let rest = seconds - dayNumber * 86_400
      (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// The abbreviated name of the month, such as `Jan`.
    package var monthName: String { HTTPDate.months[month - 1] }
    /// The full name of the month, such as `January`.
    package var longMonthName: String { HTTPDate.longMonths[month - 1] }
    /// The abbreviated name of the weekday, such as `Thu`.
    ///
    /// January 1st, 1970 was a Thursday.
    package var weekday: String { HTTPDate.days[((dayNumber + 4) % 7 + 7) % 7] }
    /// The full name of the weekday, such as `Thursday`.
    package var longWeekday: String { HTTPDate.longDays[((dayNumber + 4) % 7 + 7) % 7] }
    /// The date, such as `1970-01-01`.
    var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }
    /// The time of day, such as `00:00:00`.
    var clock: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

    /// Returns a number padded with leading zeros to `width` digits.
    package static func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
  }
}

extension Int {
  /// Returns the quotient rounded down, also for negative numbers.
  package func quotient(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
