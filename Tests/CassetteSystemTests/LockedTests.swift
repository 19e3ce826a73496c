import Dispatch
import Testing

@testable import CassetteSystem

@Suite struct `Locked values and counters` {
  @Test func `a locked value is changed by one thread at a time`() {
    let list = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<1_000 { list.withLock { $0.append(thread * 1_000 + number) } }
    }
    #expect(list.withLock { $0.sorted() } == Array(0..<8_000))
  }

  @Test func `a locked value is unlocked if the closure throws`() {
    struct Failure: Error {}
    let value = Locked(1)
    #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
    #expect(value.withLock { $0 } == 1)
  }

  @Test func `a locked object is freed together with its lock`() {
    final class Object {}
    weak var object: Object?
    do {
      let locked = Locked(Object())
      object = locked.withLock { $0 }
      #expect(object != nil)
    }
    #expect(object == nil)
  }

  @Test func `counters and flags changed by several threads lose no update`() {
    let counter = Counter(5)
    let firsts = Counter()
    let flag = Flag()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { counter.add(2) }
      counter.add(-2_000)
      if !flag.set() { firsts.add(1) }
    }
    #expect(counter.value == 5)
    #expect(firsts.value == 1)
    #expect(flag.clear() && !flag.isSet)
    #expect(counter.exchange(7) == 5)
    #expect(!counter.replace(5, with: 6) && counter.replace(7, with: 8))
    counter.store(9)
    #expect(counter.value == 9)
  }

  @Test func `of several threads that replace the same zero counter only the first succeeds`() {
    let marks = Counters(count: 100)
    let wins = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<100 where marks.replace(0, with: thread + 1, at: index) { wins.add(1) }
    }
    #expect(wins.value == 100)
    #expect((0..<100).allSatisfy { (1...8).contains(marks.value($0)) })
  }

  @Test(arguments: ["", "a", "ä", "\u{fffd}", "a\0b", "👩‍👩‍👧"])
  func `valid UTF-8 bytes become a string`(text: String) {
    #expect(String(validUTF8: Array(text.utf8)) == text)
    #expect(String(comparing: Array(text.utf8)) == text)
  }

  @Test(
    arguments: [[0x80], [0x61, 0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func `invalid UTF-8 bytes become nil`(bytes: [UInt8]) {
    #expect(String(validUTF8: bytes) == nil)
    #expect(String(comparing: bytes) == nil)
  }
}
