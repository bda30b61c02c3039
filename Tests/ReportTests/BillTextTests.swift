import Foundation
import JSON
import Report
import RunResult
import Testing

/// A bill as people and programs read it.
struct BillTextTests {
    private static func bill(_ change: (inout BillDocument) -> Void = { _ in }) -> BillDocument {
        let pods = BillDocument.Line(
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
            viewers: BillDocument.Viewers(planned: 500, joined: 520, replaced: 20, counted: 500),
            breaks: BillDocument.Breaks(count: 3, due: 1_490),
            renewals: 1,
            requests: ["pod_manifest": pods],
            total: pods,
            withheld: BillDocument.Withheld(pings: 0, beacons: 0, adSegments: 0),
            assumptions: []
        )
        change(&bill)
        return bill
    }

    private static func text(_ bill: BillDocument) -> String { BillText(of: bill, width: 100, colour: false).render() }

    @Test func itSaysWhoComesAndWhatIsAskedFor() {
        let text = Self.text(Self.bill())
        #expect(text.hasPrefix("Bill of quick, for a start at 2026-11-21T20:00:00.000Z\n"))
        #expect(text.contains("\n500 viewers; 60 s; 3 breaks, due for 1,490 viewers in all; "))
        #expect(text.contains("; 20 replaced; 1 session renewed\n"))
        #expect(text.contains(#/pod_manifest  1,500 +500  \+19\.2 s +2,400,000\n/#))
        #expect(text.contains(#/\n  all +1,500 /#))
        #expect(!text.contains("Withheld"))
        #expect(!text.contains("stands on"))
    }

    @Test func aCurveIsDrawn() throws {
        let bill = Self.bill {
            let viewers: [Int64] = [0, 250, 250, 500, 500]
            $0.audienceCurve = PlannedAudience(shape: "kick-off", stepMilliseconds: 15_000, viewers: viewers)
        }
        let text = BillText(of: bill, width: 40, colour: false).render()
        #expect(text.contains("\nat most 500 viewers at once, 500 join;"))
        let start = try #require(text.range(of: "Viewers over time: kick-off\n")?.upperBound)
        let chart = text[start...].split(separator: "\n").prefix(7).joined(separator: "\n")
        #expect(
            chart == """
                  500 │                      ▃▅▇████████
                      │                  ▁▃▆████████████
                      │       ▂▄▄▄▄▄▄▄▄▄▆███████████████
                      │    ▃▅███████████████████████████
                    0 │▁▄▆██████████████████████████████
                      └─────────────────────────────────
                       0                            60 s
                """
        )
        let json = String(decoding: try bill.json(), as: UTF8.self)
        #expect(json.contains(#""audience_curve""#) && json.contains(#""step_ms" : 15000"#))
        #expect(try JSONDecoder().decode(BillDocument.self, from: Data(json.utf8)) == bill)
    }

    @Test func itSaysWhatIsWithheldAndWhatIsNotKnown() {
        let bill = Self.bill {
            $0.total.bodyBytes = nil
            $0.withheld = BillDocument.Withheld(pings: 2_000, beacons: 0, adSegments: 1)
            $0.assumptions = ["The target is not asked."]
        }
        let text = Self.text(bill)
        #expect(text.contains("Withheld, and not in the sums: 2,000 pings, 1 segment of ads."))
        #expect(text.contains(#/all .* not known\n/#))
        #expect(text.hasSuffix("What this stands on\n  The target is not asked.\n"))
    }

    @Test func anEstimateIsToldAsOne() throws {
        let bill = Self.bill {
            $0.total.bodyBytes = nil
            $0.total.estimatedBodyBytes = 2_400_000
        }
        #expect(Self.text(bill).contains(#/all .* about 2,400,000\n/#))
        let text = String(decoding: try bill.json(), as: UTF8.self)
        #expect(text.contains(#""estimated_body_bytes" : 2400000"#))
        #expect(try JSONDecoder().decode(BillDocument.self, from: Data(text.utf8)) == bill)
    }

    @Test func theSentenceSaysWhatOneViewerAsksFor() {
        let bill = Self.bill { $0.withheld = BillDocument.Withheld(pings: 5, beacons: 0, adSegments: 0) }
        let text = BillText(of: bill, width: 200, colour: false).sentence()
        #expect(text == "Asks for about 1,500 requests in 60 s: pod_manifest 1,500; withheld: 5 pings.\n")
    }

    @Test func whatIsNotKnownIsMissingInTheDocument() throws {
        let bill = Self.bill { $0.total.bodyBytes = nil }
        let text = String(decoding: try bill.json(), as: UTF8.self)
        #expect(text.contains(#""schema" : "podswarm.bill""#))
        #expect(text.count(where: { $0 == "\n" }) > 20)
        #expect(try JSONDecoder().decode(BillDocument.self, from: Data(text.utf8)) == bill)
        #expect(text.components(separatedBy: "body_bytes").count == 2)
    }
}
