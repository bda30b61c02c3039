import Results
import Testing

@testable import Comparison

@Suite struct ComparabilityTests {
    private let base = RunFixture.side(5, release: "1.4.1")
    private let candidate = RunFixture.side(5, release: "1.4.2", first: 1)

    private func compare(
        _ base: [RunFigures],
        _ candidate: [RunFigures],
        allowing allowed: Set<ComparisonOptions.Aspect> = [],
        leavesUnfitAside: Bool = false
    ) -> ComparisonDocument {
        ReleaseComparison(options: ComparisonOptions(allowed: allowed, leavesUnfitAside: leavesUnfitAside)).compare(
            .init(inputs: ["a"], runs: base),
            against: .init(inputs: ["b"], runs: candidate)
        )
    }

    struct Change: Sendable {
        var field: String
        var aspect: ComparisonOptions.Aspect
        var make: @Sendable (inout RunFigures) -> Void
    }

    static let changes = [
        Change(field: "profile", aspect: .profile) { $0.run.profile = "other" },
        Change(field: "profile_digest", aspect: .profile) { $0.run.profileDigest = "sha256:22" },
        Change(field: "seed", aspect: .profile) { $0.run.seed = 8 },
        Change(field: "viewers", aspect: .profile) { $0.run.asked[0].requested = 600 },
        Change(field: "duration_s", aspect: .profile) { $0.run.asked[1].requested = 60 },
        Change(field: "cpu_model", aspect: .host) { $0.run.host.cpuModel = "Intel Xeon" },
        Change(field: "cpu_count", aspect: .host) { $0.run.host.cpuCount = 16 },
        Change(field: "memory", aspect: .host) { $0.run.host.memoryBytes = 16_000_000_000 },
        Change(field: "architecture", aspect: .host) { $0.run.host.architecture = "aarch64" },
        Change(field: "kernel_major", aspect: .host) { $0.run.host.kernel = "5.15.0" },
        Change(field: "shared_with_target", aspect: .host) { $0.run.host.sharedWithTarget = true },
        Change(field: "loops", aspect: .host) { $0.run.loops = 4 },
        Change(field: "transports", aspect: .transport) { $0.run.transports = ["libcurl", "h2"] },
        Change(field: "tls_verified", aspect: .transport) { $0.run.tlsVerified = false },
    ]

    @Test(arguments: changes) func whatDiffersBetweenTheSidesIsNamedAndRefused(change: Change) {
        var other = candidate
        for index in other.indices { change.make(&other[index]) }
        let refused = compare(base, other)
        #expect((refused.verdict.outcome, refused.verdict.exitCode) == (.incomparable, 3))
        #expect(refused.metrics.isEmpty, "what cannot be compared has no figures")
        #expect(refused.comparability.differences.map(\.field) == [change.field])
        #expect(refused.verdict.reasons.first?.hasPrefix("\(change.field) differs: base ") == true)
        let insisted = compare(base, other, allowing: [change.aspect])
        #expect(insisted.verdict.outcome == .noRegression)
        #expect(insisted.method.allowedDifferences == [change.aspect.rawValue])
        #expect(insisted.comparability.differences.map(\.allowed) == [true])
    }

    @Test func anOddRunWithinASideIsNamedByItsFile() {
        var other = base
        other[4].run.host.cpuCount = 4
        let reasons = compare(other, candidate).verdict.reasons
        #expect(
            reasons == [
                "cpu_count differs: base 8 (4 runs), 4 (1 run: results/quick/1.4.1-8.json); candidate 8 (5 runs)"
            ]
        )
    }

    @Test func kernelsOfOneMajorVersionAndMemoryOfOneSizeAreAlike() {
        var other = candidate
        for index in other.indices {
            other[index].run.host.kernel = "6.12.3"
            other[index].run.host.memoryBytes += 100_000_000
        }
        #expect(compare(base, other).verdict.outcome == .noRegression)
    }

    @Test func targetsAtOtherAddressesAreToldWhatTheirDigestHolds() {
        var other = candidate
        for index in other.indices {
            other[index].run.profileDigest = "sha256:22"
            other[index].run.target = "https://next.ads.example"
        }
        let reasons = compare(base, other).verdict.reasons
        #expect(reasons.count == 2)
        #expect(reasons[1].contains("--allow-different profile"))
    }

    static let doubts = [
        Change(field: "client-limited: late", aspect: .clientLimited) {
            ($0.health.withinBudget, $0.health.reasons) = (false, ["late"])
        },
        Change(field: "suspect", aspect: .suspect) { $0.health.suspect = true },
        Change(field: "interrupted", aspect: .interrupted) { $0.run.interrupted = true },
        Change(field: "aborted: all.errors > 5%", aspect: .aborted) { $0.run.abortedBy = "all.errors > 5%" },
    ]

    @Test(arguments: doubts) func aRunThatSaysNothingCertainIsRefusedByName(doubt: Change) {
        var other = candidate
        doubt.make(&other[1])
        let refused = compare(base, other)
        #expect(refused.verdict.outcome == .incomparable)
        #expect(refused.verdict.reasons.first?.hasPrefix("\(other[1].path): \(doubt.field)") == true)
        #expect(compare(base, other, allowing: [doubt.aspect]).verdict.outcome == .noRegression)
        let without = compare(base, other, leavesUnfitAside: true)
        #expect(without.candidate.runs.count == 4)
        #expect(without.comparability.skippedFiles.map(\.path) == [other[1].path])
        #expect(without.verdict.outcome != .incomparable)
    }

    @Test func aDefectOfPodswarmCannotBeAllowed() {
        var other = candidate
        other[0].verdict = RunFixture.verdict(defects: ["counts differ"])
        let allowed = Set(ComparisonOptions.Aspect.allCases)
        #expect(compare(base, other, allowing: allowed).verdict.outcome == .incomparable)
    }

    @Test func aRunOnBothSidesIsNoComparison() {
        let document = compare(base, Array(candidate.prefix(4)) + [base[2]])
        #expect(document.verdict.outcome == .incomparable)
        #expect(document.verdict.reasons == ["\(base[2].path) is on both sides"])
    }

    @Test func aRunGivenTwiceCountsOnce() {
        var copy = base[1]
        copy.path = "elsewhere/copy.json"
        let document = compare(base + [base[0], copy], candidate)
        #expect(document.base.runs.count == 5)
        #expect(
            document.comparability.skippedFiles == [
                LeftOutFile(path: "elsewhere/copy.json", reason: "the same run as \(base[1].path)")
            ]
        )
    }

    @Test func anEmptySideIsIncomparable() {
        #expect(compare([], candidate).verdict.reasons == ["there is no run on the base's side"])
    }

    @Test func runsInTwoBlocksAndOfTwoVersionsAreRemarkedOn() {
        var later = RunFixture.side(5, release: "1.4.2", first: 100)
        later[0].podswarmVersion = "0.2.0"
        let notes = compare(base, later).notes
        #expect(notes.count == 2)
        #expect(notes[0].hasPrefix("All runs of one side were made before"))
        #expect(notes[1] == "The runs were made with podswarm 0.1.0 and 0.2.0.")
    }
}
