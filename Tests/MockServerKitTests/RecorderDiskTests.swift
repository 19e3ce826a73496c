import CassetteSystem
import Cassettes
import Testing

@testable import MockServerUpstream

@Suite struct RecorderDiskTests {
  /// The steps of a disk, in order.
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

  /// Writes one batch, and returns after its completion was reported.
  private func write(_ disk: RecorderDisk, _ steps: Steps) async {
    await withCheckedContinuation { told in
      disk.write([1, 2, 3]) { isKept in
        steps.note(isKept ? "kept" : "not kept")
        told.resume()
      }
    }
  }

  @Test func `with durability power, a batch is reported as kept after the disk was synchronised`() async {
    let steps = Steps()
    let disk = disk(.power, steps)
    await write(disk, steps)
    disk.finish()
    #expect(steps.list.withLock { $0 } == ["append 3", "synchronise", "kept"])
  }

  @Test func `with durability process, a batch is reported as kept before the disk is synchronised once at the end`()
    async
  {
    let steps = Steps()
    let disk = disk(.process, steps)
    await write(disk, steps)
    disk.finish()
    disk.finish()
    let all = steps.list.withLock { $0 }
    #expect(all.first == "append 3" && all.filter { $0 != "append 3" }.sorted() == ["kept", "synchronise"])
  }

  @Test(arguments: RecordingSettings.Durability.allCases)
  func `a batch that cannot be written is reported as not kept, with the reason`(
    durability: RecordingSettings.Durability
  ) async {
    let steps = Steps()
    let disk = disk(durability, steps, refusing: "append")
    await write(disk, steps)
    disk.finish()
    #expect(steps.list.withLock { $0 } == ["error: a.journal: no room", "not kept"])
  }

  @Test func `a failed synchronisation is reported as an error, and with durability power as not kept`() async {
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
