import Testing

@testable import Results

extension ResultDocument {
    /// Gives the run windows of a second, and these verdicts on their drift.
    fileprivate mutating func haveWindows(_ count: Int64, drift: [DriftResult]?) {
        windows = (0..<count).map { WindowResult(startMilliseconds: $0 * 1_000, endMilliseconds: ($0 + 1) * 1_000) }
        self.drift = drift
    }
}

extension ReportedChange {
    static let course = [
        ReportedChange("a version that knew less") { document in
            (document.windows, document.drift, document.clock) = (nil, nil, nil)
            (document.reconciliation, document.thresholds, document.findings) = (nil, [], [])
            (document.series.points, document.run.asked, document.run.audienceCurve) = ([], [], nil)
            (document.events, document.playback, document.audience) = (nil, nil, nil)
            (document.breaks.each[0].inHand, document.breaks.each[0].personas) = (nil, nil)
            document.breaks.each[0].discovery = nil
        },
        ReportedChange("no planned audience") { $0.run.audienceCurve = nil },
        ReportedChange("windows without a drift") { $0.haveWindows(61, drift: nil) },
        ReportedChange("windows too few for a drift") { document in
            document.haveWindows(7, drift: [ExampleResult.drift(.tooFewWindows, .target)])
        },
        ReportedChange("windows in which nothing crept") { document in
            let steady = [DriftResult.Subject.target, .generator].map { ExampleResult.drift(.steady, $0) }
            document.haveWindows(7, drift: [ExampleResult.drift(.tooFewWindows, .target)] + steady)
        },
        ReportedChange("windows in which the target crept") { document in
            document = try ExampleResult.windowed().document
            document.drift = [ExampleResult.drift(.creeping, .target), ExampleResult.drift(.steady, .generator)]
            document.drift?[1].spanMilliseconds = 1_200_000
        },
        ReportedChange("what was asked for and observed", .clean) { document in
            document.run.asked = [
                .init(name: "viewers", unit: "count", requested: 500, observed: 498),
                .init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil),
                .init(name: "churned_viewers", unit: "count", requested: nil, observed: 0),
                .init(name: "lost_viewers", unit: "count", requested: nil, observed: 3),
            ]
        },
        ReportedChange("nothing that can be observed was asked for", .clean) { document in
            document.run.asked = [.init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil)]
        },
    ]
}
