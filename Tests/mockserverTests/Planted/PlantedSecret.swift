import TestSupport

/// Invalid secrets in the formats of many issuers, and passwords as people choose them.
enum PlantedSecret {
  /// The characters of a part of a token.
  enum Signs: String {
    case word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    case dash = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
    case upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    case hex = "0123456789abcdef"
    case digits = "123456789"

    func random(_ count: Int, _ random: inout Seeded) -> String {
      let all = Array(rawValue)
      return String((0..<count).map { _ in all[Int.random(in: all.indices, using: &random)] })
    }
  }

  /// A fixed or random part of a token.
  enum Piece {
    case text(String)
    case random(Signs, Int)
  }

  private static func form(
    _ begin: (String, String), _ signs: Signs, _ count: Int, _ rest: Piece...
  ) -> [Piece] {
    [.text(begin.0 + begin.1), .random(signs, count)] + rest
  }

  /// Tokens identified by their shape, each written as two literals so that repository scanners ignore them.
  static let issued: [[Piece]] = [
    form(("ghp", "_"), .word, 36), form(("gho", "_"), .word, 36), form(("ghs", "_"), .word, 36),
    form(("github", "_pat_"), .word, 22, .text("_"), .random(.word, 59)),
    form(("AK", "IA"), .upper, 16),
    form(("AS", "IA"), .upper, 16),
    form(("xo", "xb-"), .digits, 12, .text("-"), .random(.word, 24)),
    form(("AI", "za"), .dash, 35), form(("GOC", "SPX-"), .dash, 28), form(("ya", "29."), .dash, 60),
    form(("sk", "_live_"), .word, 24), form(("rk", "_test_"), .word, 24),
    form(("wh", "sec_"), .word, 32),
    form(("npm", "_"), .word, 36), form(("gl", "pat-"), .word, 20),
    form(("sk", "-ant-api03-"), .dash, 93),
    form(("sk", "-proj-"), .word, 48), form(("gsk", "_"), .word, 52), form(("hf", "_"), .word, 34),
    form(("r8", "_"), .word, 37), form(("S", "G."), .word, 22, .text("."), .random(.word, 43)),
    form(("shp", "at_"), .hex, 32), form(("dop", "_v1_"), .hex, 64),
    form(("py", "pi-AgEIcHlwaS5vcmc"), .word, 60),
    form(("da", "pi"), .hex, 32), form(("lin", "_api_"), .word, 40),
    form(("PM", "AK-"), .hex, 24, .text("-"), .random(.hex, 34)), form(("NR", "AK-"), .upper, 27),
    form(("EZ", "AK"), .word, 54), form(("rubygems", "_"), .hex, 48), form(("pul", "-"), .hex, 40),
    form(("dp", ".pt."), .word, 43), form(("gl", "sa_"), .word, 32, .text("_"), .random(.hex, 8)),
    form(("hv", "s."), .word, 24), form(("ts", "key-auth-"), .word, 20),
    form(("tf", "p_"), .word, 44),
    form(("pscale", "_tkn_"), .word, 43), form(("key", "-"), .hex, 32),
    form(("sq0", "csp-"), .word, 43),
    form(("S", "K"), .hex, 32), form(("AT", "ATT3"), .word, 60), form(("fi", "gd_"), .word, 40),
    form(("nt", "n_"), .word, 46), form(("rd", "me_"), .word, 70),
    form(("xkey", "sib-"), .hex, 64, .text("-"), .random(.word, 16)),
    form(("AGE-", "SECRET-KEY-1"), .upper, 58),
    form(("LT", "AI"), .word, 20), form(("CF", "PAT-"), .word, 43),
    form(("dckr", "_pat_"), .word, 27),
    form(("nf", "p_"), .word, 36), form(("sb", "p_"), .hex, 40), form(("rzp", "_live_"), .word, 14),
    form(("lsv2", "_pt_"), .hex, 32, .text("_"), .random(.hex, 10)), form(("bk", "ua_"), .hex, 40),
    form(("shippo", "_live_"), .hex, 40), form(("sntry", "u_"), .hex, 64),
    form(("pn", "u_"), .word, 36),
    form(("HR", "KU-AA"), .word, 58), form(("glc", "_"), .word, 60),
    form(("duffel", "_live_"), .word, 43),
    form(("oy", "2"), .word, 43), form(("AK", "ID"), .word, 32),
    [.random(.digits, 10), .text(":AA"), .random(.word, 33)],
    [
      .text("ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J"), .random(.word, 60), .text("."),
      .random(.dash, 43),
    ],
    [
      .text("https://hooks.slack" + ".com/services/T0"), .random(.upper, 8), .text("/B0"),
      .random(.upper, 8),
      .text("/"),
      .random(.word, 24),
    ],
  ]

  /// Secrets without a shape, which only the name of their place identifies.
  static let named: [[Piece]] = [
    [.random(.word, 14)], [.random(.hex, 32)],
    [
      .text("Blue-"), .random(.word, 5), .text("-"), .random(.digits, 2), .text("-"),
      .random(.word, 6),
    ],
    [
      .random(.word, 4), .text("!"), .random(.word, 3), .text("*"), .random(.digits, 4), .text("_"),
      .random(.word, 4),
    ],
  ]

  /// A private key of several lines.
  static let key: [Piece] =
    [.text("-----BEGIN " + "PRIVATE KEY-----\n")]
    + (0..<6).flatMap { _ in [.random(.word, 64), .text("\n")] as [Piece] } + [
      .text("-----END PRIVATE KEY-----")
    ]

  /// Returns a secret of these pieces, and its unpredictable parts.
  static func make(_ pieces: [Piece], _ random: inout Seeded) -> (text: String, hidden: [String]) {
    var (text, hidden) = ("", [String]())
    for piece in pieces {
      switch piece {
      case .text(let fixed): text += fixed
      case .random(let signs, let count):
        let part = signs.random(count, &random)
        text += part
        if count >= 8 { hidden.append(part) }
      }
    }
    return (text, hidden.isEmpty ? [text] : hidden)
  }
}
