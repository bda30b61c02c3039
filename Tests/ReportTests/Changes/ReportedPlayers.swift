import Results
import Testing

extension ResultDocument {
    /// Gives the run twenty breaks, of which the eighth went worse than the others.
    ///
    /// It is neither among the first six, as many as a page tells of, nor the last twelve, as many as a terminal lists.
    fileprivate mutating func haveTwentyBreaks() throws {
        let pattern = try #require(breaks.each.first)
        breaks.each = (0..<20).map { index in
            var entry = pattern
            entry.key = "break-\(index)"
            entry.startMicroseconds += Int64(index) * 1_000_000
            entry.onTimePercent = index == 7 ? 50 : 100
            return entry
        }
    }
}

extension ReportedChange {
    static let players = [
        ReportedChange("events that came to no end") { $0.events?.unaccounted = -2 },
        ReportedChange("pods that ended as they should", .clean) { document in
            document.events?.cutShort = 0
            document.events?.failed = 0
            document.events?.changed = 0
        },
        ReportedChange("pods of which one was skipped", .clean) { document in
            document.requests["pod_manifest"] = document.requests["playlist"]
            document.events?.skipped = 1
        },
        ReportedChange("pods and asset lists", .clean) { document in
            document.requests["asset_list"] = document.requests["playlist"]
        },
        ReportedChange("interstitials alone", .clean) { document in
            document.requests["asset_list"] = document.requests["playlist"]
            document.requests["pod_manifest"] = nil
        },
        ReportedChange("no players") { document in
            (document.audience, document.events, document.playback) = (nil, nil, nil)
            document.breaks.discovery = nil
        },
        ReportedChange("a persona with a hostile name") { document in
            document.audience?.personas[0].name = "<script>alert(1)</script>"
            document.breaks.each[0].personas?[0].name = "\u{600}<b onclick=x>"
            document.audience?.personas[0].unconfirmed = ["</table>"]
        },
        ReportedChange("playheads of two personas") { document in
            document.breaks.each[0].personas?[0].playheadMeanMicroseconds = 18_000_000
            document.breaks.each[0].personas?[1].playheadMeanMicroseconds = 24_000_000
        },
        ReportedChange("twenty breaks", .clean) { try $0.haveTwentyBreaks() },
        ReportedChange("no viewer due") { document in
            (document.breaks.each, document.breaks.due, document.breaks.onTimePercent) = ([], 0, nil)
        },
    ]
}
