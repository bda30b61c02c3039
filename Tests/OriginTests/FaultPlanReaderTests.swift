import Foundation
import TestSupport
import Testing

@testable import Origin

@Suite struct FaultPlanReaderTests {
    private static func mistakes(_ text: String) -> [PlanMistake] {
        do {
            _ = try FaultPlanReader.read(text, seed: 1)
            return []
        } catch {
            return error.mistakes
        }
    }

    @Test func everySettingIsRead() throws {
        let plan = try FaultPlanReader.read(
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
        let plan = try FaultPlanReader.read(text, seed: 1)
        #expect(plan.faults.isEmpty)
        #expect(RequestKind.allCases.allSatisfy { !plan.mayTouch($0) })
    }

    @Test func listMayStandAlone() throws {
        #expect(try FaultPlanReader.read("- {fault: reset}", seed: 1).faults.count == 1)
    }

    private static let bad: [(text: String, line: Int, part: String)] = [
        ("faults: [\n", 2, "not YAML"),
        ("faults: 3", 1, "must be a list"),
        ("fault: []", 1, "unknown key \"fault\""),
        ("- delay", 1, "must be a mapping"),
        ("- {share: 3%}", 1, "must say which one"),
        ("- {fault: [1]}", 1, "must say which one"),
        ("- {fault: pod_mismach}", 1, "did you mean pod_mismatch?"),
        ("- {fault: wholly_else}", 1, "allowed: error_status"),
        ("- {fault: delay}", 1, "delay needs delay"),
        ("- {fault: delay, delay: 3}", 1, "delay must be a time"),
        ("- {fault: delay, delay: -3s}", 1, "delay must be a time"),
        ("- {fault: delay, delay: 9999s}", 1, "at most 3600s"),
        ("- {fault: delay, delay: 1s, growth: 2}", 1, "growth must be a percentage"),
        ("- {fault: delay, delay: 1s, growth: -2%}", 1, "growth must be a percentage"),
        ("- {fault: delay, delay: 1s, per: 0s}", 1, "per must be a time"),
        ("- {fault: reset, growth: 2%}", 1, "unknown setting"),
        ("- {fault: delay, delay: nans}", 1, "delay must be a time"),
        ("- {fault: delay, delay: 1e99s}", 1, "delay must be a time"),
        ("- {fault: error_status, status: 200}", 1, "between 400 and 599"),
        ("- {fault: error_status, status: x}", 1, "between 400 and 599"),
        ("- {fault: reset, status: 500}", 1, "unknown setting of reset \"status\""),
        ("- {fault: reset, share: 10}", 1, "percentage"),
        ("- {fault: reset, share: 0%}", 1, "percentage"),
        ("- {fault: reset, share: 101%}", 1, "percentage"),
        ("- {fault: reset, share: nan%}", 1, "percentage"),
        ("- {fault: reset, breaks: 2}", 1, "breaks must be"),
        ("- {fault: reset, breaks: [0]}", 1, "breaks must be"),
        ("- {fault: reset, breaks: []}", 1, "breaks must be"),
        ("- {fault: reset, breaks: {every: 0}}", 1, "breaks must be"),
        ("- {fault: reset, breaks: {each: 2}}", 1, "breaks must be"),
        ("- {fault: reset, kinds: playlist}", 1, "kinds must be a list"),
        ("- {fault: reset, kinds: []}", 1, "kinds must be a list"),
        ("- {fault: reset, kinds: [playlits]}", 1, "did you mean playlist?"),
        ("- {fault: reset, kinds: [other]}", 1, "unknown request kind for reset \"other\""),
        ("- {fault: empty_pod, kinds: [segment]}", 1, "allowed: pod_playlist, pod_manifest"),
        ("- {fault: pod_underfilled, shift: 0s}", 1, "shift must be"),
        ("- {fault: pod_underfilled, shift: 5000s}", 1, "shift must be"),
        ("- {fault: redirect, to: elsewhere}", 1, "to must be same-origin or unauthorised-host"),
        ("- {fault: redirect, kinds: [registration]}", 1, "unknown request kind"),
        ("- {fault: reset}\n- {fault: reset}\n- {fault: rest}", 3, "did you mean reset?"),
    ]

    @Test(arguments: bad)
    func mistakeIsNamedWithItsLine(text: String, line: Int, part: String) {
        let mistakes = Self.mistakes(text)
        #expect(mistakes.contains { $0.line == line && $0.message.contains(part) }, "\(mistakes)")
    }

    @Test func allMistakesAreToldAtOnceInOrder() {
        let mistakes = Self.mistakes(
            """
            - {fault: pod_mismach}
            - fault: delay
              share: 10
            - {fault: error_status, status: 42, kinds: [playlits]}
            """
        )
        #expect(mistakes.map(\.line) == [1, 2, 3, 4, 4])
    }

    /// The page's tables are written by hand: a fault that is new to the table must not be new to the reader.
    @Test func everyFaultAndSettingIsOnThePage() throws {
        let page = try PackageFolder.text("Sources/podswarm/Documentation.docc/ReferenceOrigin.md")
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
            for mistake in Self.mistakes(text) { #expect(mistake.line >= 1, "seed \(seed): \(text)") }
        }
    }
}
