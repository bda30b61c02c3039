import Profile
import TestSupport
import Testing

@testable import Origin

@Suite struct FaultPlanReadingTests {
    @Test func everySettingIsRead() throws {
        let plan = try FaultPlan.read(
            """
            # What goes wrong tonight.
            faults:
              - {fault: pod_mismatch, breaks: [2, 5], share: 10%}
              - fault: error_status
                breaks: {every: 3}
                status: 500
                kinds: [playlist, segment]
              - {fault: stale_playlist, delay: 30s, breaks: all}
              - {fault: pod_underfilled, shift: -1500ms}
              - {fault: redirect, to: unauthorised-host, kinds: [pod_manifest]}
            """,
            seed: 1
        )
        #expect(
            plan.faults.map(\.kind.name) == [
                "pod_mismatch", "error_status", "stale_playlist", "pod_underfilled", "redirect",
            ]
        )
        #expect(plan.faults[0].breaks == .numbers([2, 5]))
        #expect(plan.faults[0].share == 0.1)
        #expect(plan.faults[0].requests == [.podManifest])
        #expect(plan.faults[1].breaks == .every(3))
        #expect(plan.faults[1].status == 500)
        #expect(plan.faults[1].requests == [.playlist, .segment])
        #expect(plan.faults[2].delay == .seconds(30))
        #expect(plan.faults[3].shift == .milliseconds(-1_500))
        #expect(plan.faults[4].redirection == .unauthorisedHost)
    }

    @Test(arguments: ["", "faults: []", "[]", "# nothing\n", "{}"])
    func planWithoutFaultsBreaksNothing(text: String) throws {
        let plan = try FaultPlan.read(text, seed: 1)
        #expect(plan.faults.isEmpty)
        #expect(RequestKind.allCases.allSatisfy { !plan.mayTouch($0) })
    }

    @Test func textThatIsNoYAMLIsAMistake() {
        let error = #expect(throws: ProfileErrors.self) { try FaultPlan.read("faults: [\n", seed: 1) }
        #expect(error?.problems.first?.line == 2)
        #expect(error?.problems.first?.message.hasPrefix("not YAML") == true)
    }

    /// The page's tables are written by hand: a fault that is new to the table must not be new to the reader.
    @Test func everyFaultAndSettingIsOnThePage() throws {
        let page = try PackageFolder.text("Sources/podswarm/Documentation.docc/OriginReference.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        // The first cell only: what another fault says of it is no row of its own.
        let named = rows.map { $0.dropFirst().prefix { $0 != "|" } }.joined()
        let names = FaultKind.all.map(\.name) + ["kinds", "share", "breaks", "from", "lasting", "path", "edge"]
        for name in names { #expect(named.contains("`\(name)`"), "\(name)") }
        #expect(!named.contains("`fault_of_no_name`"))
    }

    @Test func anyBytesAreReadWithoutATrap() {
        let seed: UInt64 = 3
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "-", " ", "\n", "{", "}", "fault", ":", "delay", "[", "]", "10%", "&a", "*a", "!!", "\t", "'", "\"",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...20, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            do {
                _ = try FaultPlan.read(text, seed: 1)
            } catch {
                #expect(error.problems.allSatisfy { $0.line ?? 1 >= 1 }, "seed \(seed): \(text)")
            }
        }
    }
}
