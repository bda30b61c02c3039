import Recording
import Rulebook
import RunResult
import Testing

@Suite struct ReconciliationTests {
    private func totals(answered: Int, lost: Int = 0, refused: Int = 0) -> RunTotals {
        let recorder = LoopRecorder()
        let outcomes: [(Outcome, Int)] = [
            (.status(200), answered), (.failure(.reset), lost), (.failure(.connectRefused), refused),
        ]
        for (outcome, count) in outcomes {
            for _ in 0..<count {
                recorder.record(RequestSample(kind: .playlist, outcome: outcome, plannedAt: 1, sentAt: 1, doneAt: 2))
            }
        }
        return RunTotals(merging: [recorder.finish()])
    }

    @Test(arguments: [
        (10, 0, 10, true), (10, 0, 9, false), (10, 0, 11, false), (10, 2, 10, true), (10, 2, 12, true),
        (10, 2, 13, false), (10, 2, 9, false), (0, 0, 0, true), (0, 0, -1, true),
    ])
    func theOriginMayHaveReceivedWhatWentUnanswered(answered: Int, lost: Int, received: Int, agrees: Bool) {
        let reconciliation = Reconciliation(
            totals: totals(answered: answered, lost: lost),
            originReceived: ["playlist": received]
        )
        #expect(reconciliation.agrees == agrees)
        #expect(reconciliation.rows.first { $0.kind == "playlist" }?.agrees == agrees)
    }

    @Test func aRefusedConnectionCannotHaveReachedTheOrigin() {
        let totals = totals(answered: 5, refused: 3)
        #expect(Reconciliation(totals: totals, originReceived: ["playlist": 5]).agrees)
        #expect(!Reconciliation(totals: totals, originReceived: ["playlist": 8]).agrees)
    }

    @Test func aKindTheOriginDidNotReportIsZero() {
        #expect(!Reconciliation(totals: totals(answered: 1), originReceived: [:]).agrees)
    }

    @Test func aKindTheClientDoesNotKnowIsADifference() {
        let reconciliation = Reconciliation(totals: totals(answered: 0), originReceived: ["no_such_kind": 1])
        #expect(!reconciliation.agrees)
        #expect(reconciliation.rows.last?.kind == "no_such_kind")
    }
}
