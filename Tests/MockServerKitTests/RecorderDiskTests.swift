import CassetteSystem
import Cassettes
import Testing

@testable import MockServerUpstream

@Suite struct RecorderDiskTests {
  /// What was done, in order.
  private final class Steps: Sendable {
    let list = Locked<[String]>([])
    func note(_ step: String) { list.withLock { $0.append(step) } }
  }

  private func disk(
    _ durability: RecordingSettings.Durability, _ steps: Steps, refusing refused: String? = nil
  ) -> RecorderDisk {
    RecorderDisk(durability) {
      steps.note($0)
    } append: { bytes throws(CassetteError) in
      if refused == "append" { throw CassetteError(file: "a.journal", message: "no room") }
      steps.note("append \(bytes.count)")
    } synchronise: { () throws(CassetteError) in
      if refused == "synchronise" { throw CassetteError(file: "a.journal", message: "no room") }
      steps.note("synchronise")
    }
  }

  /// Hands one batch in, and returns when it has been told of.
  private func write(_ disk: RecorderDisk, _ steps: Steps) async {
    await withCheckedContinuation { told in
      disk.write([1, 2, 3]) { isKept in
        steps.note(isKept ? "kept" : "not kept")
        told.resume()
      }
    }
  }

  @Test func `for a loss of power the disk is waited for before anybody is told`() async {
    let steps = Steps()
    let disk = disk(.power, steps)
    await write(disk, steps)
    disk.finish()
    #expect(steps.list.withLock { $0 } == ["append 3", "synchronise", "kept"])
  }

  @Test func `for the end of the process it is told first, and the end waits for the disk once`() async {
    let steps = Steps()
    let disk = disk(.process, steps)
    await write(disk, steps)
    disk.finish()
    disk.finish()
    let all = steps.list.withLock { $0 }
    #expect(all.first == "append 3" && all.filter { $0 != "append 3" }.sorted() == ["kept", "synchronise"])
  }

  @Test(arguments: RecordingSettings.Durability.allCases)
  func `what cannot be written is not kept, and the reason is said`(durability: RecordingSettings.Durability) async {
    let steps = Steps()
    let disk = disk(durability, steps, refusing: "append")
    await write(disk, steps)
    disk.finish()
    #expect(steps.list.withLock { $0 } == ["error: a.journal: no room", "not kept"])
  }

  @Test func `what the disk refuses is not kept where power counts, and is said in any case`() async {
    for durability in RecordingSettings.Durability.allCases {
      let steps = Steps()
      let disk = disk(durability, steps, refusing: "synchronise")
      await write(disk, steps)
      disk.finish()
      let all = steps.list.withLock { $0 }
      #expect(all.contains("error: a.journal: no room"))
      #expect(all.contains(durability == .power ? "not kept" : "kept"))
    }
  }
}
