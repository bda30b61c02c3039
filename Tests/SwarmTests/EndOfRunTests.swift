import EventLoop
import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// What becomes of the answers that are under way when a run is over.
@Suite struct EndOfRunTests {
    /// A playlist of a number, padded with comment.
    private static func playlist(_ sequence: Int, padding: Int = 0) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n#EXTINF:2,\n\(sequence).m4s\n"
            + String(repeating: "#" + String(repeating: "-", count: 98) + "\n", count: padding / 100)
    }

    /// Two viewers who have both asked for their playlist once more when everybody is told to stop.
    private func ending(_ body: @escaping @Sendable (ScriptedCrowd, () -> Bool) -> Void) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests { $0.audience.viewers = 2 }, loop: loop)
            scripted.join()
            for index in 0..<2 { scripted.fire(.reload, index: index) }
            var isDone = false
            scripted.crowd.end.begin(at: MonotonicClock.now())
            scripted.crowd.stop { isDone = true }
            #expect(!isDone, "answers are under way")
            body(scripted) { isDone }
        }
    }

    @Test func ordinaryAnswersAreStillUnderstood() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.crowd.auditor.library.parsed
            scripted.transport.answerAll { _, index in Self.playlist(7 + index) }
            #expect(scripted.crowd.auditor.library.parsed == parsed + 2)
            #expect(isDone())
        }
    }

    @Test func largeAnswersAreRecordedAndNotUnderstood() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.crowd.auditor.library.parsed
            scripted.transport.answerAll { _, index in Self.playlist(7 + index, padding: 1 << 20) }
            #expect(scripted.crowd.auditor.library.parsed == parsed)
            #expect(isDone())
        }
    }

    @Test func nothingIsUnderstoodOnceThatTookItsTime() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.crowd.auditor.library.parsed
            scripted.crowd.understoodAtEnd = 1_000_000_000
            scripted.transport.answerAll { _, index in Self.playlist(7 + index) }
            #expect(scripted.crowd.auditor.library.parsed == parsed)
            #expect(isDone())
        }
    }

    @Test func whatIsOpenWhenTheGreatestTimeoutHasPassedIsAbandoned() async throws {
        try await ending { scripted, _ in
            let token = CrowdToken(index: 0, detail: CrowdToken.abandonment)
            #expect(!scripted.crowd.viewers.contains { $0.owner.isClosed })
            scripted.crowd.timerFired(token: token.rawValue, deadline: MonotonicClock.now())
            #expect(scripted.crowd.viewers.allSatisfy { $0.owner.isClosed })
        }
    }

    @Test func theGreatestTimeoutIsThatOfTheMostPatientPlayer() {
        var patient = Persona.ofProfile(LoadPlan.forTests { _ in }.playback)
        let plain = RequestLimits([PersonaShare(patient, share: 1)])
        #expect(plain.greatestTotal(otherwise: 5_000_000_000) == 5_000_000_000)
        patient.requests.assetList.total = .seconds(60)
        let limits = RequestLimits([PersonaShare(patient, share: 1)])
        #expect(limits.greatestTotal(otherwise: 5_000_000_000) == 60_000_000_000)
        #expect(limits.greatestTotal(otherwise: 90_000_000_000) == 90_000_000_000)
    }
}
