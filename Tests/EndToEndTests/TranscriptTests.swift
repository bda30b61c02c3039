import Testing

/// Commands as users type them, each with what it prints and what its run finds.
@Suite(.fewAtOnce) struct TranscriptTests {
    @Test(arguments: try Transcript.all())
    func everyCommandEndsAndPrintsAsItsTranscriptSays(transcript: Transcript) async throws {
        let complaints = try await transcript.complaints()
        #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    }

    @Test func allTranscriptsAreFound() throws {
        #expect(try Transcript.all().count > 300)
    }
}
