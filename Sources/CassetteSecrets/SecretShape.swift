internal import CassetteSystem

/// The shape of the tokens of an issuer.
package struct SecretShape: Hashable, Sendable {
  /// The kind of token for messages: `GitHub token`.
  package let kind: String
  /// The evidence that identifies a token, the strongest first.
  package let evidence: Evidence

  /// The evidence that a value is a secret.
  package enum Evidence: Int, Hashable, Sendable {
    /// A private key from BEGIN to END.
    case block
    /// A fixed text at the start of the value or within it.
    case form
    /// The length of the value, and the issuer's name before it: `adafruit_key = `.
    case name
  }
}

/// A pattern: a sequence of pieces in the notation of `SecretShapeTable`.
package struct SecretPattern: Sendable {
  /// Fixed bytes, or a run of bytes of a set.
  struct Piece: Sendable {
    var literal: [UInt8] = []
    /// True if case is ignored.
    var folds = false
    /// The index of the set in `SecretText.sets`.
    var set = 0
    var least = 0
    var most = Int.max

    /// Returns the end of the fixed bytes at an offset, or nil if they do not match.
    func literalEnd(in text: ByteSearch, from start: Int) -> Int? {
      guard start >= 0, literal.count <= text.count - start else { return nil }
      var at = start
      for byte in literal {
        guard text[at] == byte || folds && SecretPattern.folded(text[at]) == byte else { return nil }
        at += 1
      }
      return at
    }

    /// Returns the end of a run at an offset, or nil if it is too short.
    ///
    /// A keyword may occur a million times within one run, so that the end of each run is computed only once.
    func runEnd(in text: ByteSearch, from start: Int, _ runs: inout [Range<Int>]) -> Int? {
      if runs.isEmpty { runs = Array(repeating: 0..<0, count: SecretText.sets.count) }
      let isKnown = runs[set].contains(start)
      let at = isKnown ? runs[set].upperBound : text.end(of: SecretText.sets[set].value, from: start, atMost: most)
      if !isKnown, most == Int.max { runs[set] = start..<at }
      return at - start < least ? nil : most < at - start ? start + most : at
    }
  }

  let shape: SecretShape
  var pieces: [Piece] = []
  /// The pieces that form the secret.
  var secret = 0..<Int.max
  /// True if letters and digits may surround the match.
  var isAnywhere = false
  var needsDigit = false
  /// The word that must occur shortly before the match.
  var word: [UInt8] = []
  /// The minimum entropy, in bits per byte.
  var bits = 0.0
  /// The piece to search for, and its distance from the start of the match.
  var keyword: (piece: Int, offset: Int)?

  /// True if a match consists of the secret alone, without a name before it.
  var isUnnamed: Bool { shape.evidence == .form && secret == 0..<Int.max && word.isEmpty }

  /// Chooses the keyword: the longest fixed piece at a fixed distance from the start.
  mutating func chooseKeyword() {
    var offset = 0
    for (index, piece) in pieces.enumerated() {
      let best = keyword.map { pieces[$0.piece].literal.count } ?? 0
      if piece.literal.count > best { keyword = (index, offset) }
      guard !piece.literal.isEmpty || piece.least == piece.most else { return }
      offset += piece.literal.isEmpty ? piece.least : piece.literal.count
    }
  }

  /// Returns the range of the secret if the pattern matches at an offset; `runs` is shared by all matches in the input.
  func match(_ text: ByteSearch, at start: Int, _ runs: inout [Range<Int>]) -> Range<Int>? {
    var (at, from, to): (Int, Int, Int?) = (start, start, nil)
    for index in pieces.indices {
      if index == secret.lowerBound { from = at }
      let piece = pieces[index]
      let end = piece.literal.isEmpty ? piece.runEnd(in: text, from: at, &runs) : piece.literalEnd(in: text, from: at)
      guard let end else { return nil }
      at = end
      if index + 1 == secret.upperBound { to = at }
    }
    let range = from..<(to ?? at)
    let head = text.bytes(range.lowerBound..<min(range.upperBound, range.lowerBound + SecretText.head))
    guard isAnywhere || isEnd(text, at), SecretText.entropy(of: head) > bits,
      !needsDigit || head.contains(where: ByteSet.digit.contains) && head.contains(where: ByteSet.letter.contains)
    else { return nil }
    let piece = Piece(literal: word)
    let isThere = word.isEmpty || (max(0, start - 512)..<start).contains { piece.literalEnd(in: text, from: $0) != nil }
    return isThere ? range : nil
  }

  /// True if the match is not followed by more characters of the same run or word.
  private func isEnd(_ text: ByteSearch, _ at: Int) -> Bool {
    guard at < text.count, let last = pieces.last, last.literal.isEmpty else { return true }
    return !SecretText.sets[last.set].value.contains(text[at])
      && !(keyword == nil ? SecretText.behindValue : SecretText.under).contains(text[at])
  }

  package static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
}

/// The byte sets of secrets and of their surroundings.
enum SecretText {
  /// Returns the Shannon entropy in bits per byte: four or more for random values.
  static func entropy(of text: [UInt8]) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for byte in text { counts[Int(byte)] += 1 }
    var bits = 0.0
    for count in counts where count > 0 {
      let share = Double(count) / Double(text.count)
      bits -= share * log2(share)
    }
    return bits
  }

  /// The number of bytes of a long value that are used to estimate its entropy.
  static let head = 256
  static let hex = ByteSet(0x30...0x39, 0x41...0x46, 0x61...0x66)
  static let under = ByteSet.word.adding("_")
  /// The characters after which a value of fixed length is part of a longer value.
  static let behindValue = under.adding("-./+=:@~$([{*!|")
  /// The sets by their names in the table.
  static let sets: KeyValuePairs<String, ByteSet> = [
    "digit": .digit, "hex": hex, "upper": ByteSet(0x30...0x39, 0x41...0x5a), "word": .word, "under": under,
    "dash": under.adding("-"), "equal": under.adding("=-"), "dot": under.adding("=.-"), "tilde": under.adding("~.-"),
    "slash": ByteSet.word.adding("/+"), "jwt": under.adding("/+-"),
    "auth": under.adding("=~@.+/-"), "encoded": ByteSet.word.adding("+/=%"), "pad": ByteSet(adding: "="),
    "crypt": under.adding("./$=,+-"),
    "field": ByteSet(0x21...0x21, 0x23...0x3a, 0x3c...0x5b, 0x5d...0x7e), "gap": ByteSet(0x09...0x0d, adding: " '\"\\"),
    "user": ByteSet(0x21...0x21, 0x23...0x26, 0x28...0x39, 0x3b...0x7e),
    "text": ByteSet(0x21...0x21, 0x23...0x26, 0x28...0x3b, 0x3d...0x3d, 0x3f...0x5b, 0x5d...0x5f, 0x61...0x7e),
  ]
}
