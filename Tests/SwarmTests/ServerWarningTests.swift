import AdServing
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What is kept of the warnings in the heads of an ad server's answers.
@Suite struct ServerWarningTests {
    private static let header = "x-ad-manager-dai-warning"

    @Test func thoseOfTheAdServerAreKeptRedactedAndOthersAreNotLookedAt() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests { $0.pods.repeatShare = 1 }, viewers: 1, loop: loop)
            scripted.join()
            scripted.fire(.reload)
            scripted.transport.answer(.playlist, headers: [Self.header: "of the channel"])
            scripted.fire(.breakPreparation)
            scripted.fire(.breakFetch)
            let pod = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.m4s\n#EXT-X-ENDLIST\n"
            let own = try #require(scripted.crowd.viewers[0].machine.facts.streamID?.rawValue)
            let text = "SCTE 35 of \(own) cannot be read"
            scripted.transport.answer(.podManifest, headers: [Self.header: text], body: pod)
            scripted.transport.answer(.podRepeat, headers: [Self.header: text], body: pod)
            let totals = RunTotals(merging: [scripted.crowd.totals()])
            #expect(totals.warnings.kinds.mapValues(\.answers) == [.podManifest: 2])
            let kept = try #require(totals.warnings.kinds[.podManifest]?.texts.first)
            #expect(kept.value == 2 && kept.key.hasPrefix("SCTE 35 of ") && !kept.key.contains(own), "\(kept.key)")
            #expect(!totals.findings.contains { $0.breakKey != nil }, "a warning is no finding")
        }
    }
}
