import Results
import Testing

@Suite struct PlaceTroubleTests {
    @Test func eachChangeIsToldOnce() {
        var trouble = PlaceTrouble()
        let told = [nil, "a", "a", "b", nil, nil, "c", nil].map { reason in
            trouble.note(reason.map { RendezvousError($0) })
        }
        let answers = "The rendezvous answers again."
        #expect(
            told == [
                nil, "The rendezvous does not answer: a", nil, nil, answers, nil, "The rendezvous does not answer: c",
                answers,
            ]
        )
        #expect(trouble.reason == nil)
    }
}
