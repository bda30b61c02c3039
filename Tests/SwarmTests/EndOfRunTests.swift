import EventLoop
import HLS
import LoadProfile
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
    private func ending(_ body: @escaping @Sendable (ScriptedShard, () -> Bool) -> Void) async throws {
        try await ScriptedShard.onLoop { loop in
            let scripted = try ScriptedShard(.forTests { $0.audience.viewers = 2 }, loop: loop)
            scripted.join()
            for index in 0..<2 { scripted.fire(.reload, index: index) }
            var isDone = false
            scripted.shard.end.begin(at: MonotonicClock.now())
            scripted.shard.stop { isDone = true }
            #expect(!isDone, "answers are under way")
            body(scripted) { isDone }
        }
    }

    @Test func ordinaryAnswersAreStillUnderstood() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.shard.auditor.library.parsed
            scripted.transport.answerAll { _, index in Self.playlist(7 + index) }
            #expect(scripted.shard.auditor.library.parsed == parsed + 2)
            #expect(isDone())
        }
    }

    @Test func largeAnswersAreRecordedAndNotUnderstood() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.shard.auditor.library.parsed
            scripted.transport.answerAll { _, index in Self.playlist(7 + index, padding: 1 << 20) }
            #expect(scripted.shard.auditor.library.parsed == parsed)
            #expect(isDone())
        }
    }

    @Test func nothingIsUnderstoodOnceThatTookItsTime() async throws {
        try await ending { scripted, isDone in
            let parsed = scripted.shard.auditor.library.parsed
            scripted.shard.understoodAtEnd = 1_000_000_000
            scripted.transport.answerAll { _, index in Self.playlist(7 + index) }
            #expect(scripted.shard.auditor.library.parsed == parsed)
            #expect(isDone())
        }
    }

    @Test func whatIsOpenWhenTheGreatestTimeoutHasPassedIsAbandoned() async throws {
        try await ending { scripted, _ in
            let token = ShardToken(index: 0, detail: ShardToken.abandonment)
            #expect(!scripted.shard.viewers.contains { $0.owner.isClosed })
            scripted.shard.timerFired(token: token.rawValue, deadline: MonotonicClock.now())
            #expect(scripted.shard.viewers.allSatisfy { $0.owner.isClosed })
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
