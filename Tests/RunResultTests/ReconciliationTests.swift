import ExampleRuns
import Results
import Rules
import Testing

@Suite struct ReconciliationTests {
    private func totals(answered: Int, lost: Int = 0, refused: Int = 0) -> RunTotals {
        RunTotals { recorder in
            for _ in 0..<answered { recorder.record(.ended()) }
            for _ in 0..<lost { recorder.record(.ended(.failure(.reset))) }
            for _ in 0..<refused { recorder.record(.ended(.failure(.connectRefused))) }
        }
    }

    /// The origin may have received what went unanswered, and nothing of a connection that was refused.
    @Test(arguments: [
        (10, 0, 0, 10, true), (10, 0, 0, 9, false), (10, 0, 0, 11, false), (10, 2, 0, 10, true), (10, 2, 0, 12, true),
        (10, 2, 0, 13, false), (10, 2, 0, 9, false), (0, 0, 0, 0, true), (0, 0, 0, -1, true), (5, 0, 3, 5, true),
        (5, 0, 3, 8, false),
    ]) func theOriginMayHaveReceivedWhatWentUnanswered(
        answered: Int,
        lost: Int,
        refused: Int,
        received: Int,
        agrees: Bool
    ) {
        let totals = totals(answered: answered, lost: lost, refused: refused)
        let reconciliation = Reconciliation(totals: totals, originReceived: ["playlist": received])
        #expect(reconciliation.agrees == agrees)
        #expect(reconciliation.rows.first { $0.kind == "playlist" }?.agrees == agrees)
    }

    @Test func aKindThatOnlyOneSideKnowsIsADifference() {
        #expect(!Reconciliation(totals: totals(answered: 1), originReceived: [:]).agrees)
        let unknown = Reconciliation(totals: totals(answered: 0), originReceived: ["no_such_kind": 1])
        #expect(!unknown.agrees && unknown.rows.last?.kind == "no_such_kind")
    }
}
