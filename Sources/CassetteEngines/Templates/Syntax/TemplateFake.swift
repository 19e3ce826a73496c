internal import CassetteHTTP
import CassetteSystem

/// Generates fictional data about people and places.
enum TemplateFake {
  enum Kind: String, CaseIterable {
    case firstName, lastName, name, username, email, phone, company, street, city, country, countryCode, zip
    case word, sentence, paragraph, url, domain, ipv4, ipv6, mac, color, hex, boolean, number, price, date, slug
  }

  static func value(_ kind: Kind, _ random: inout SeededRandom) -> TemplateValue {
    func pick(_ words: [Substring]) -> String { words.isEmpty ? "" : String(words[random.below(words.count)]) }
    func digits(_ count: Int) -> String { String((0..<count).map { _ in Character(String(random.below(10))) }) }
    func hexadecimal(_ count: Int) -> String {
      String((0..<count).map { _ in Character(String(random.below(16), radix: 16)) })
    }
    func sentence() -> String {
      let words = (0..<(5 + random.below(6))).map { _ in pick(Self.words) }.joined(separator: " ")
      return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
    switch kind {
    case .firstName: return .text(pick(firstNames))
    case .lastName: return .text(pick(lastNames))
    case .name: return .text("\(pick(firstNames)) \(pick(lastNames))")
    case .username: return .text("\(pick(firstNames).lowercased())\(digits(3))")
    // RFC 2606 §2 and 3: reserved names, which nobody can register.
    case .email:
      return .text("\(pick(firstNames).lowercased()).\(pick(lastNames).lowercased())\(digits(2))@example.com")
    // Numbers 555-0100 to 555-0199 are reserved for fiction.
    case .phone: return .text("+1-202-555-01\(digits(2))")
    case .company: return .text("\(pick(lastNames)) \(pick(companies))")
    case .street: return .text("\(1 + random.below(199)) \(pick(streets)) Street")
    case .city: return .text(pick(cities))
    case .country: return .text(pick(countries).replacing("_", with: " "))
    case .countryCode: return .text(pick(countryCodes))
    case .zip: return .text(digits(5))
    case .word: return .text(pick(words))
    case .sentence: return .text(sentence())
    case .paragraph: return .text((0..<3).map { _ in sentence() }.joined(separator: " "))
    case .url: return .text("https://example.com/\(pick(words))/\(digits(4))")
    case .domain: return .text("\(pick(words)).example")
    // RFC 5737 and RFC 3849: addresses reserved for documentation.
    case .ipv4: return .text("203.0.113.\(random.below(256))")
    case .ipv6: return .text("2001:db8:\(hexadecimal(4)):\(hexadecimal(4))::\(hexadecimal(4))")
    case .mac: return .text("02" + (0..<5).map { _ in ":" + hexadecimal(2) }.joined())
    case .color: return .text(pick(colors))
    case .hex: return .text(hexadecimal(16))
    case .boolean: return .bool(random.below(2) == 1)
    case .number: return .integer(random.below(10_000))
    case .price: return .decimal(Double(100 + random.below(99_900)) / 100)
    case .date:
      let (day, month) = (HTTPDate.Moment.padded(1 + random.below(28)), HTTPDate.Moment.padded(1 + random.below(12)))
      return .text("20\(10 + random.below(15))-\(month)-\(day)")
    case .slug: return .text("\(pick(words))-\(pick(words))-\(digits(3))")
    }
  }

  private static func list(_ words: String) -> [Substring] { words.split(separator: " ") }

  private static let firstNames = list(
    "Ada Alan Amina Anna Aria Ben Carla Chen Dana David Elena Emil Fatima Felix Grace Hana Hugo Ines Ivan Jana Jonas "
      + "Kofi Lara Leo Lina Lucas Maja Marco Maria Mei Mila Nia Noah Nora Omar Paul Priya Rosa Sam Sara Sofia Theo Tom "
      + "Uma Victor Wen Yara Yusuf Zoe")
  private static let lastNames = list(
    "Adams Baker Becker Bianchi Brown Chen Clark Costa Cruz Diaz Dubois Evans Fischer Garcia Green Haas Hansen Ito "
      + "Jensen Jones Kaya Keller Khan Kim Kowalski Lang Larsen Lee Lopez Martin Meyer Mori Nguyen Novak Okafor Park "
      + "Patel Reed Rossi Sato Silva Singh Smith Suzuki Tanaka Torres Wagner Walker Weber Young")
  private static let companies = list("Group Systems Labs Works Partners Industries Foods Logistics Energy Media")
  private static let streets = list(
    "Oak Maple Cedar Pine Lake Hill Park River Station Church Mill Garden Spring Bridge")
  private static let cities = list(
    "Amsterdam Athens Austin Berlin Bern Boston Cairo Dakar Delhi Dublin Hanoi Helsinki Kyoto Lagos Lima Lisbon London "
      + "Madrid Manila Munich Nairobi Oslo Paris Porto Prague Quito Rome Seoul Sofia Sydney Tallinn Tokyo Turin Vienna")
  private static let countries = list(
    "Argentina Australia Austria Brazil Canada Chile Denmark Egypt Finland France Germany Ghana Greece India Ireland "
      + "Italy Japan Kenya Mexico New_Zealand Nigeria Norway Peru Poland Portugal South_Korea Spain Sweden Switzerland")
  private static let countryCodes = list("AR AU AT BR CA CL DK EG FI FR DE GH GR IN IE IT JP KE MX NZ NG NO PE PL PT")
  private static let colors = list("red green blue black white orange purple yellow teal navy olive maroon silver gold")
  private static let words = list(
    "amber anchor apple arrow autumn basket beacon branch bridge candle canyon castle circle cloud copper coral cotton "
      + "crystal dawn desert echo ember falcon feather field flame forest garden glacier harbor hazel island jade lake "
      + "lantern leaf lemon maple marble meadow mirror moon mountain ocean olive orchid paper pebble pine planet pocket "
      + "rain river rocket sail shadow silver sky snow spark spring star stone storm summer sunset thunder tide timber "
      + "valley velvet violet water wave willow winter")
}
