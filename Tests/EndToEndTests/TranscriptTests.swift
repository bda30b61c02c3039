import Testing

/// Commands as users type them, each with what it prints and what its run finds.
@Suite struct TranscriptTests {
    private static let all = Result { try Transcript.all() }

    @Test(.fewAtOnce, arguments: try all.get().filter { !$0.isOverSockets })
    func everyCommandEndsAndPrintsAsItsTranscriptSays(transcript: Transcript) async throws {
        try await expect(transcript)
    }

    @Test(.fewWaiting, arguments: try all.get().filter(\.isOverSockets))
    func everyCommandOverSocketsEndsAndPrintsAsItsTranscriptSays(transcript: Transcript) async throws {
        try await expect(transcript)
    }

    private func expect(_ transcript: Transcript) async throws {
        let complaints = try await transcript.complaints()
        #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    }

    @Test func allTranscriptsAreFound() throws {
        #expect(try Self.all.get().count > 300)
    }
}
