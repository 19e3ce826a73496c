internal import CassetteSystem

/// The shape of an issuer's tokens.
package struct SecretShape: Hashable, Sendable {
  /// The kind, for people: `GitHub token`.
  package let kind: String
  /// The evidence by which it is told, the surest first.
  package let evidence: Evidence

  /// The evidence by which a value is known to be a secret.
  package enum Evidence: Int, Hashable, Sendable {
    /// A private key from BEGIN to END.
    case block
    /// The text at its beginning or in it.
    case form
    /// Its length, and the issuer's name before it: `adafruit_key = `.
    case name
  }
}

/// A pattern of a shape: pieces that follow one another, as `SecretShapeTable` writes them.
package struct SecretPattern: Sendable {
  /// Certain bytes, or a run of bytes of a set.
  struct Piece: Sendable {
    var literal: [UInt8] = []
    /// True if capital letters do not matter.
    var folds = false
    /// The index of the set in `SecretText.sets`.
    var set = 0
    var least = 0
    var most = Int.max

    /// Finds the end of certain bytes that begin at an offset; nil when they are not there.
    func literalEnd(in text: ByteSearch, from start: Int) -> Int? {
      guard start >= 0, literal.count <= text.count - start else { return nil }
      var at = start
      for byte in literal {
        guard text[at] == byte || folds && SecretPattern.folded(text[at]) == byte else { return nil }
        at += 1
      }
      return at
    }

    /// Finds the end of a run that begins at an offset; nil when it is too short.
    ///
    /// A text may have a word in it a million times and all of it be one run: that is run through once.
    func runEnd(in text: ByteSearch, from start: Int, _ runs: inout [Range<Int>]) -> Int? {
      if runs.isEmpty { runs = Array(repeating: 0..<0, count: SecretText.sets.count) }
      let isKnown = runs[set].contains(start)
      let at = isKnown ? runs[set].upperBound : text.end(of: SecretText.sets[set].value, from: start, atMost: most)
      if !isKnown, most == Int.max { runs[set] = start..<at }
      return at - start < least ? nil : most < at - start ? start + most : at
    }
  }

  var shape: Int
  var pieces: [Piece] = []
  /// The pieces that are the secret.
  var secret = 0..<Int.max
  /// True if bytes of words may stand around it.
  var isAnywhere = false
  var needsDigit = false
  /// The word that must stand not far before it.
  var word: [UInt8] = []
  /// The least randomness, in bits a byte.
  var bits = 0.0
  /// The piece that is looked for, and its distance from the beginning.
  var keyword: (piece: Int, offset: Int)?

  /// Chooses what to look for: of the literals at a fixed place the longest.
  mutating func chooseKeyword() {
    var offset = 0
    for (index, piece) in pieces.enumerated() {
      let best = keyword.map { pieces[$0.piece].literal.count } ?? 0
      if piece.literal.count > best { keyword = (index, offset) }
      guard !piece.literal.isEmpty || piece.least == piece.most else { return }
      offset += piece.literal.isEmpty ? piece.least : piece.literal.count
    }
  }

  /// The secret, when the pieces stand at an offset; `runs` is for all looks at a text.
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

  /// Tells whether what ends there is whole: a longer run, or another word, is something else.
  private func isEnd(_ text: ByteSearch, _ at: Int) -> Bool {
    guard at < text.count, let last = pieces.last, last.literal.isEmpty else { return true }
    return !SecretText.sets[last.set].value.contains(text[at])
      && !(keyword == nil ? SecretText.behindValue : SecretText.under).contains(text[at])
  }

  package static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
}

/// The bytes that secrets, and what stands around them, are made of.
enum SecretText {
  /// Returns the number of bits in each byte of a text (Shannon): four or more if it is random.
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

  /// The number of bytes of a long value that are looked at to tell whether it is random.
  static let head = 256
  static let hex = ByteSet(0x30...0x39, 0x41...0x46, 0x61...0x66)
  static let under = ByteSet.word.adding("_")
  /// The characters that continue a value of a fixed length where it should be over.
  static let behindValue = under.adding("-./+=:@~$([{*!|")
  /// Sets by the names that the table has for them.
  static let sets: KeyValuePairs<String, ByteSet> = [
    "digit": .digit, "hex": hex, "upper": ByteSet(0x30...0x39, 0x41...0x5a), "word": .word, "under": under,
    "dash": under.adding("-"), "equal": under.adding("=-"), "dot": under.adding("=.-"), "tilde": under.adding("~.-"),
    "slash": ByteSet.word.adding("/+"), "jwt": under.adding("/+-"), "back": under.adding("/+-\\"),
    "auth": under.adding("=~@.+/-"), "percent": ByteSet.word.adding("%"), "pad": ByteSet(adding: "="),
    "crypt": under.adding("./$=,+-"), "pass": ByteSet.word.adding(":;<@=},!$?^"),
    "field": ByteSet(0x21...0x21, 0x23...0x3a, 0x3c...0x5b, 0x5d...0x7e), "gap": ByteSet(0x09...0x0d, adding: " '\"\\"),
    "user": ByteSet(0x21...0x21, 0x23...0x26, 0x28...0x39, 0x3b...0x7e),
    "text": ByteSet(0x21...0x21, 0x23...0x26, 0x28...0x3b, 0x3d...0x3d, 0x3f...0x5b, 0x5d...0x5f, 0x61...0x7e),
  ]
}
