import Foundation
import Results
import TestSupport
import Testing
import Values

@testable import Rehearsal
@testable import Swarm

/// A bill as people and programs read it.
struct BillTextTests {
    private static func bill(_ change: (inout BillDocument) -> Void = { _ in }) -> BillDocument {
        let pods = RunBill.Line(
            count: 1_500,
            bodyBytes: 2_400_000,
            peakPer100Milliseconds: 500,
            peakAtMilliseconds: 19_200
        )
        var bill = BillDocument(
            profile: "quick",
            profileDigest: "ab",
            target: "embedded",
            startsAtMicroseconds: 1_795_291_200_000_000,
            durationMilliseconds: 60_000,
            viewers: RunBill.Viewers(planned: 500, joined: 520, replaced: 20, counted: 500),
            breaks: RunBill.Breaks(count: 3, due: 1_490),
            renewals: 1,
            requests: ["pod_manifest": pods],
            total: pods,
            withheld: RunBill.Withheld(pings: 0, beacons: 0, adSegments: 0),
            assumptions: []
        )
        change(&bill)
        return bill
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var make: @Sendable (inout BillDocument) -> Void = { _ in }
    }

    static let changes = [
        Change(testDescription: "plain"),
        Change(testDescription: "curve") {
            let viewers: [Int64] = [0, 250, 250, 500, 500]
            $0.audienceCurve = PlannedAudience(shape: "kick-off", stepMilliseconds: 15_000, viewers: viewers)
        },
        Change(testDescription: "withheld") {
            $0.total.bodyBytes = nil
            $0.withheld = RunBill.Withheld(pings: 2_000, beacons: 0, adSegments: 1)
            $0.assumptions = ["The target is not asked."]
        },
        Change(testDescription: "estimate") { ($0.total.bodyBytes, $0.total.estimatedBodyBytes) = (nil, 2_400_000) },
    ]

    /// As text, as the sentence of a dry run, and as JSON.
    @Test(arguments: changes) func everyFormIsPinned(change: Change) throws {
        let bill = Self.bill(change.make)
        let json = try bill.json()
        let forms = [bill.text(), bill.sentence(), String(decoding: json, as: UTF8.self)].joined(separator: "\n")
        try GoldenFile.expect(forms, at: "Tests/ReportTests/Goldens/bill-\(change.testDescription).txt")
        #expect(try DocumentDecoding().decode(BillDocument.self, from: json) == bill)
    }
}
