import Foundation
import Measurement
import Testing

/// `Profiles/faulty.yaml`: every planned fault is found by its name, for whom it touched, and nothing else is.
@Suite(.fewAtOnce) struct FaultyProfileTests {
    private static let viewers = 60
    /// As in the profile.
    private static let intervalMicroseconds: Int64 = 24_000_000
    /// The first break comes within an interval, and the last one's zone ends half an interval after it.
    private static let seconds = 24 * (1 + FaultyPlan.breaksOfPart) + 13

    static let parts = Array(0..<((try? FaultyPlan().parts) ?? 1))

    @Test(arguments: parts) func eachFaultOfThePlanIsFoundForExactlyWhomItTouchedAndNothingElseIs(part: Int)
        async throws
    {
        let plan = try FaultyPlan()
        let planned = plan.faults(ofPart: part)
        try #require(!planned.isEmpty)
        let rehearsal = try Rehearsal(shipped: "faulty")
        let faults = try rehearsal.folder.write(plan.text(ofPart: part), to: "faults.yaml")
        let truthFile = rehearsal.folder.url.appending(path: "truth.json")
        let outcome = try await rehearsal.run(
            [
                "--viewers", String(Self.viewers), "--duration", "\(Self.seconds)s", "--no-report",
                "--set", "target.embedded.faults=\(faults)", "--origin-truth", truthFile.path,
            ],
            limit: .seconds(300)
        )
        let truth = try FaultTruth(file: truthFile)
        #expect(outcome.document.reconciliation?.agrees == true, "\(outcome.end.output)")

        var expected: Set<String> = []
        for name in Set(planned.map(\.name)).sorted() {
            let affected = try #require(truth.affected[name])
            #expect(affected.viewers > 0, "\(name) touched nobody")
            let codes = FindingCode.table.filter { $0.fault == name && $0.severity != .advice }.map(\.code)
            expected.formUnion(codes)
            for code in codes {
                expect(code, in: outcome, touched: affected, truth)
            }
        }
        for finding in outcome.document.findings where finding.severity != Severity.advice.rawValue {
            #expect(expected.contains(finding.code), "\(finding.code): \(Self.evidence(finding))")
        }
    }

    private func expect(
        _ code: String,
        in outcome: Rehearsal.Outcome,
        touched affected: FaultTruth.Affected,
        _ truth: FaultTruth
    ) {
        guard let finding = outcome.finding(code) else {
            Issue.record("\(code) was not found, of \(affected.viewers) viewers")
            return
        }
        #expect(finding.viewers == affected.viewers, "\(code): \(Self.evidence(finding))")
        for occurrence in finding.occurrences {
            guard let key = occurrence.breakKey,
                let record = outcome.document.breaks.each.first(where: { $0.key == key })
            else { continue }
            let number = truth.number(ofBreakAt: record.startMicroseconds, every: Self.intervalMicroseconds)
            #expect(affected.breaks[String(number)] != nil, "\(code) was found in break \(number) too")
        }
    }

    private static func evidence(_ finding: FindingResult) -> String {
        let seen = finding.occurrences.compactMap(\.first).prefix(3).map {
            "viewer \($0.viewer) \($0.url): expected \($0.expected), observed \($0.observed)"
        }
        return "\(finding.viewers) viewers, \(finding.count) times; \(seen.joined(separator: "; "))"
    }
}
