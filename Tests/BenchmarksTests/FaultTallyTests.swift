import Foundation
import Testing

@testable import Benchmarks
@testable import Results
@testable import Rules

/// Findings beside what an origin says that it did on purpose.
@Suite struct FaultTallyTests {
    private static let truth = """
        {"affected": {
          "empty_pod": {"viewers": 3, "breaks": {"4": 3}, "not_held": 0},
          "program_date_missing": {"viewers": 2, "breaks": {"1": 2, "2": 2}, "not_held": 0}
        }, "started_us": 0}
        """

    private func tally(_ findings: [(code: FindingCode, breakKey: String?, viewers: Int)]) throws -> FaultTally {
        let found = findings.map { code, breakKey, count in
            var viewers = ViewerSet()
            for viewer in 0..<count { viewers.insert(viewer) }
            return Finding(code, breakKey, viewers, of: 10, seen: nil)
        }
        let results = FindingResult.all(found, joined: 10, allowed: [:])
        return try FaultTally(results, truth: Data(Self.truth.utf8))
    }

    /// A fault that is against two rules stands for both codes.
    private let exact: [(code: FindingCode, breakKey: String?, viewers: Int)] = [
        (.emptyPod, "a", 3), (.programDateMissing, "a", 2), (.programDateMissing, "b", 2),
        (.renditionProgramDateMissing, nil, 2),
    ]

    @Test func whatWasFoundForWhomItTouchedIsExact() throws {
        let tally = try tally(exact)
        #expect(tally.isExact, "\(tally.text)")
        #expect(tally.text.contains("3 of 3 codes exact"))
    }

    @Test func fewerViewersAnotherBreakOrNoFindingIsOff() throws {
        #expect(try !tally([(.emptyPod, "a", 2)] + exact.dropFirst()).isExact)
        #expect(try !tally([exact[0], (.emptyPod, "b", 1)] + exact.dropFirst()).isExact)
        #expect(try !tally(Array(exact.dropFirst())).isExact)
        #expect(try !tally(Array(exact.dropLast())).text.contains("3 of 3"))
    }

    @Test func whatNobodyPlannedIsOffUnlessItIsAdvice() throws {
        #expect(try tally(exact + [(.variantIncomplete, nil, 1)]).isExact)
        let tally = try tally(exact + [(.stalePod, "a", 1)])
        #expect(!tally.isExact)
        #expect(tally.text.contains("found besides: wrong stale_pod, 1 viewers"))
    }
}
