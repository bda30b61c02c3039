import LoadProfile
import Players
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// Answers that are under way when a run is over.
@Suite struct EndOfRunTests {
    /// Two viewers who have both asked for their playlist once more when all are told to stop.
    private func ending(_ body: (ScriptedCrowd, () -> Bool) -> Void) {
        let crowd = ScriptedCrowd.allWatching(viewers: 2)
        crowd.advance(seconds: 2)
        var isDone = false
        crowd.crowd.end.begin(at: crowd.now)
        crowd.crowd.stop { isDone = true }
        #expect(!isDone, "answers are under way")
        body(crowd) { isDone }
    }

    /// Large answers are recorded and not understood, and none once that took its time.
    @Test(arguments: [(0, 0, 2), (1 << 20, 0, 0), (0, 1_000_000_000, 0)] as [(Int, Int64, Int)])
    func answersAfterTheEndAreUnderstoodWhileThereIsTime(padding: Int, understoodFor: Int64, parsed: Int) {
        ending { crowd, isDone in
            let before = crowd.parsed
            crowd.crowd.understoodAtEnd = understoodFor
            let comment = String(repeating: "#" + String(repeating: "-", count: 98) + "\n", count: padding / 100)
            crowd.answerAll { .init(body: AnswerBody.media(207 + $0.viewer) + comment) }
            #expect(crowd.parsed == before + parsed)
            #expect(isDone())
        }
    }

    @Test func whatIsOpenWhenTheGreatestTimeoutHasPassedIsAbandoned() {
        ending { crowd, isDone in
            #expect(!crowd.crowd.viewers.contains { $0.owner.isClosed })
            crowd.advance(seconds: 9.9)
            #expect(!isDone())
            crowd.advance(seconds: 0.2)
            #expect(crowd.crowd.viewers.allSatisfy { $0.owner.isClosed } && isDone())
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
