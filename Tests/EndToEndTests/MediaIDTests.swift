import Foundation
import RunResult
import TestSupport
import Testing

/// Metadata that lists prefixes: viewers that load ads ping the whole ids that these carry, as players do.
@Suite struct MediaIDTests {
    private static let profile = FastProfile(target: FastProfile.faulty.target + "    mediaIDs: prefixes\n")

    private static func rehearse(_ faults: String, segments: String, _ more: [String] = []) async throws
        -> (outcome: Rehearsal.Outcome, barePrefixes: Int)
    {
        let rehearsal = try Rehearsal(profile.yaml, faults: faults)
        let (outcome, truth) = try await rehearsal.inVirtualTimeWithTruth(
            ["--set", "playback.segments=\(segments)"] + more
        )
        let sessions = truth["sessions"] as? [String: Any]
        return (outcome, try #require(sessions?["bare_prefixes"] as? Int))
    }

    @Test func wholeIDsArePingedAndRecorded() async throws {
        let (outcome, barePrefixes) = try await Self.rehearse("[]", segments: "ads")
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.finding("verification_not_found") == nil)
        #expect(outcome.document.reconciliation?.agrees == true)
        let counts = outcome.document.viewers
        // Two ads of five events each in the break that everybody has.
        #expect((counts["pings_recorded"] ?? 0) >= UInt64(FastProfile.viewers * 10))
        #expect(counts["pings_unknown"] ?? 0 == 0)
        #expect(outcome.document.requests["verification"]?.errors == 0)
        #expect(barePrefixes == 0)
    }

    @Test func prefixesThatNoIDBeginsWithAreFoundForExactlyWhomTheyTouched() async throws {
        let faults = "[{fault: media_id_unlisted, breaks: [2], share: 50%}]"
        let (outcome, _) = try await Self.rehearse(faults, segments: "ads")
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == ["media_id_unlisted"])
        let finding = try #require(outcome.finding("media_id_unlisted"))
        #expect(finding.viewers == 10)
        #expect(finding.occurrences.map(\.viewers) == [10])
        #expect(outcome.document.viewers["pings_unknown"] ?? 0 == 0, "the ids themselves are right")
    }

    /// What metadata lists as whole is proved whole, whether or not ads are loaded.
    @Test(arguments: ["none", "ads"])
    func wholeIDsThatAreNotKnownAreFoundForExactlyWhomTheyTouched(segments: String) async throws {
        let faults = "[{fault: verification_not_found, breaks: [2], share: 50%}]"
        // What is found here a starved machine brings about as well.
        let settings = ["--set", "playback.segments=\(segments)", "--set", "allowFindings={\"*\": 0}"]
        let outcome = try await Rehearsal(FastProfile.faulty.yaml, faults: faults).inVirtualTime(settings)
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.finding("verification_not_found")?.viewers == 10)
        #expect((outcome.document.viewers["pings_unknown"] ?? 0) > 0)
        #expect(outcome.document.viewers["pings_of_prefixes"] == 0)
        #expect(outcome.document.notes?.contains { $0.contains("playback.segments") } != true)
    }

    /// The target does only what its vendor documents: nothing is wrong with it, and the reader is told how to do better.
    @Test func whoLoadsNoAdsPingsPrefixesAndIsToldSo() async throws {
        let (outcome, barePrefixes) = try await Self.rehearse("[]", segments: "none")
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.finding("verification_not_found") == nil)
        let counts = outcome.document.viewers
        #expect(barePrefixes > 0 && UInt64(barePrefixes) == counts["pings_of_prefixes"])
        #expect(counts["pings_unknown"] == counts["pings_of_prefixes"])
        #expect(counts["pings_recorded"] ?? 0 == 0)
        let notes = outcome.document.notes ?? []
        #expect(notes.count { $0.contains("playback.segments: ads") } == 1, "\(notes)")
        #expect(outcome.end.output.contains("playback.segments: ads"))
    }
}
