import Foundation
import TestSupport
import Testing

/// The result of a run before podswarm's own schema; the figures in it are those of transcripts.
@Suite(.fewAtOnce) struct ResultInteroperabilityTests {
    /// What the schema that `podswarm result schema` prints has against a result; empty when nothing.
    static func complaints(about file: URL) async throws -> String {
        try await PrintedSchema.complaints(about: Data(contentsOf: file))
    }

    @Test func aMemberMoreIsAgainstTheSchema() async throws {
        let outcome = try await Rehearsal(FastProfile.embedded.yaml).inVirtualTime()
        #expect(try await Self.complaints(about: outcome.resultFile) == "")
        let document = try Data(contentsOf: outcome.resultFile)
        #expect(try await PrintedSchema.complaints(about: document) { $0["other"] = 1 } != "")
    }
}
