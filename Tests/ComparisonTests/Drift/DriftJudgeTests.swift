import TestSupport
import Testing

@testable import Comparison
@testable import Results

@Suite("Drift verdicts") struct DriftJudgeTests {
    /// As a soak is judged: whatever its length.
    private static func verdicts(_ windows: [WindowResult]) -> [DriftResult] {
        DriftJudge.verdicts(windows, loops: 2, decidesVerdict: true)
    }

    private static func verdict(_ name: String, _ series: WindowSeries) throws -> DriftResult {
        try #require(Self.verdicts(series.windows).first { $0.series == name })
    }

    private static func clean(seed: UInt64, count: Int = 20) throws -> WindowSeries {
        var generator = SeededGenerator(seed: seed)
        return try WindowSeries(count: count, using: &generator)
    }

    @Test("at most 1 % of clean twenty-minute soaks have any drift called", arguments: [20, 8])
    func falseAlarms(count: Int) throws {
        var alarms: [UInt64] = []
        for seed in 0..<300 as Range<UInt64> {
            let verdicts = Self.verdicts(try Self.clean(seed: seed, count: count).windows)
            #expect(!verdicts.contains { $0.verdict == .tooFewWindows }, "seed \(seed)")
            if verdicts.contains(where: { $0.verdict != .steady }) { alarms.append(seed) }
        }
        #expect(alarms.count <= 3, "seeds \(alarms)")
    }

    @Test("two percent a window are called in at least 95 % of twenty-minute soaks") func detection() throws {
        var missed: [UInt64] = []
        for seed in 0..<300 as Range<UInt64> {
            var series = try Self.clean(seed: seed)
            series.scale("pod_manifest") { 1 + 0.02 * Double($0) }
            let verdicts = Self.verdicts(series.windows)
            if verdicts.first(where: { $0.series == "pod_manifest.response.p50" })?.verdict != .creeping {
                missed.append(seed)
            }
            #expect(!verdicts.contains { $0.verdict == .creeping && $0.subject == .generator }, "seed \(seed)")
        }
        #expect(missed.count <= 15, "seeds \(missed)")
    }

    @Test(
        "a leak without any noise is called too, although what is left of it is a smooth curve",
        arguments: [8, 20, 96]
    ) func compoundLeak(count: Int) throws {
        var series = try Self.clean(seed: 2, count: count)
        for index in series.windows.indices {
            let median = 50_000 * SeededGenerator.exponential(0.0198 * Double(index))
            series.windows[index].requests["pod_manifest"]?.response?.p50Microseconds = Int64(median)
        }
        let result = try Self.verdict("pod_manifest.response.p50", series)
        #expect(result.verdict == .creeping)
        #expect(try #require(result.slopeLowPerHour) > 0)
    }

    @Test("a disturbance that lasts for several windows is seldom a drift") func lastingDisturbances() throws {
        var alarms: [UInt64] = []
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var series = try WindowSeries(using: &generator)
            var level = 0.0
            let levels = (0..<20).map { _ in
                level = 0.5 * level + 0.1 * generator.normal()
                return level
            }
            series.scale("pod_manifest") { SeededGenerator.exponential(levels[$0]) }
            let verdicts = Self.verdicts(series.windows)
            if verdicts.contains(where: { $0.verdict != .steady }) { alarms.append(seed) }
        }
        #expect(alarms.count <= 4, "seeds \(alarms)")
    }

    @Test("a sawtooth is steady, whatever its period and phase", arguments: [3, 4, 5, 6, 7, 8])
    func sawtooth(period: Int) throws {
        for phase in 0..<period {
            var series = try Self.clean(seed: UInt64(period * 100 + phase))
            series.scale("pod_manifest") { 1 + 0.3 * Double(($0 + phase) % period) / Double(period) }
            for index in series.windows.indices {
                series.windows[index].residentBytesMinimum += Int64((index + phase) % period) * 3_000_000
            }
            let loud = Self.verdicts(series.windows).filter { $0.verdict != .steady }
            #expect(loud.isEmpty, "phase \(phase): \(loud.map(\.text))")
        }
    }

    /// Something planted in a clean soak, of which a golden file pins the verdict of every series.
    struct Planted: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let seed: UInt64
        var count = 20
        var minutes = 1.0
        var change: @Sendable (inout WindowSeries) -> Void = { _ in }
    }

    /// Eight hours in windows of five minutes with three breaks each, in which memory rises or falls evenly.
    private static func night(
        _ name: String,
        seed: UInt64 = 12,
        bytesPerWindow: Int64,
        _ change: @escaping @Sendable (inout WindowResult) -> Void = { _ in }
    ) -> Planted {
        Planted(testDescription: name, seed: seed, count: 96, minutes: 5) { series in
            for index in series.windows.indices {
                (series.windows[index].breaks, series.windows[index].viewers["joined"]) = (3, 200)
                series.windows[index].residentBytesMinimum += Int64(index) * bytesPerWindow
                change(&series.windows[index])
            }
        }
    }

    /// Something planted in each window of a clean soak.
    private static func each(
        _ name: String,
        seed: UInt64,
        _ change: @escaping @Sendable (inout WindowResult, _ number: Int) -> Void
    ) -> Planted {
        Planted(testDescription: name, seed: seed) { series in
            for index in series.windows.indices { change(&series.windows[index], index) }
        }
    }

    static let planted = [
        Planted(testDescription: "pods that become faster", seed: 3) { series in
            series.scale("pod_manifest") { 1 - 0.02 * Double($0) }
        },
        each("viewers less and less in time", seed: 4) { window, index in
            window.onTime -= UInt64(index) * 4
            window.viewers["pod_asked_ms"] = 60_000_000
            window.viewers["pod_filled_ms"] = 60_000_000 - UInt64(index) * 60_000
        },
        each("leaks of the generator", seed: 5) { window, index in
            window.residentBytesMinimum += Int64(index) * 1_048_576
            window.openDescriptorsMinimum += index * 10
        },
        each("errors, findings and a live edge that falls behind", seed: 6) { window, index in
            window.requests["playlist"]?.errors = UInt64(index * 20)
            window.findings = UInt64(index / 2)
            window.liveEdgeAge?.p50Microseconds += Int64(index) * 100_000
        },
        each("trends smaller than what matters", seed: 8) { window, index in
            window.requests["playlist"]?.response?.p50Microseconds = 900 + Int64(index) * 10
            window.residentBytesMinimum = 120 * 1_048_576 + Int64(index) * 100_000
        },
        Planted(testDescription: "oddities in the warm-up and a window that is not whole", seed: 9) { series in
            (series.windows[0].residentBytesMinimum, series.windows[21].isComplete) = (1, false)
        },
        each("every second window with few samples", seed: 10) { window, index in
            guard !index.isMultiple(of: 2) else { return }
            window.requests["registration"]?.response?.count = 50
            window.due = 0
        },
        Planted(testDescription: "half an hour of slower pods", seed: 17, count: 30) { series in
            series.scale("pod_manifest") { 1 + 0.02 * Double($0) }
        },
        Planted(testDescription: "an hour of slower pods", seed: 17, count: 60) { series in
            series.scale("pod_manifest") { 1 + 0.02 * Double($0) }
        },
        night("a night in which the result grows", bytesPerWindow: 120_000),
        night("a night with a leak beside it", bytesPerWindow: 400_000),
        night("a night of an older version", bytesPerWindow: 120_000) { $0.breaks = nil },
        night("a night in which memory is given back", seed: 14, bytesPerWindow: -120_000),
        Planted(testDescription: "a minute of windows of a second", seed: 16, count: 60, minutes: 1 / 60),
    ]

    @Test("the verdict of every series is pinned", arguments: planted) func everySeries(planted: Planted) throws {
        var generator = SeededGenerator(seed: planted.seed)
        var series = try WindowSeries(count: planted.count, minutes: planted.minutes, using: &generator)
        planted.change(&series)
        let lines = Self.verdicts(series.windows).map { result in
            "\(result.series) of the \(result.subject.rawValue), \(result.windows) windows:"
                + " \(result.verdict.rawValue): \(result.text)\n"
        }
        let name = planted.testDescription.replacing(", ", with: "-").replacing(" ", with: "-")
        try GoldenFile.expect(lines.joined(), at: "Tests/ComparisonTests/Goldens/drift/\(name).txt")
    }

    @Test("what is kept grows with breaks, viewers, windows and loops, and seconds as long as each has a step")
    func keptFigures() throws {
        var windows = (0..<4).map {
            WindowResult(startMilliseconds: $0 * 3_600_000, endMilliseconds: ($0 + 1) * 3_600_000, breaks: 0)
        }
        let seconds = 7_200 * KeptFigures.bytesPerSecond
        let quiet = KeptFigures.growth(over: windows, loops: 2)
        #expect(quiet == KeptFigures.bytesOfSums + seconds + 4 * KeptFigures.bytesPerWindow)
        windows[1].breaks = 10
        let two = KeptFigures.growth(over: windows, loops: 2) - quiet
        #expect(two == 20 * KeptFigures.bytesPerBreak)
        #expect(KeptFigures.growth(over: windows, loops: 8) - quiet == 4 * two)
        windows[1].viewers["joined"] = 8_000
        let audience = 20 * KeptFigures.viewerSetsPerBreak * KeptFigures.bitsPerViewer * 1_000
        #expect(KeptFigures.growth(over: windows, loops: 2) - quiet - two == audience)
        (windows[0].viewers["joined"], windows[0].breaks, windows[0].isWarmUp) = (8_000, 10, true)
        let hour = 3_600 * KeptFigures.bytesPerSecond + KeptFigures.bytesPerWindow
        // Who came in the warm-up counts, and the warm-up's hour does not.
        #expect(KeptFigures.growth(over: windows, loops: 2) - quiet - two == 2 * audience - hour)
        windows[1].breaks = .min
        #expect(KeptFigures.growth(over: windows, loops: 2) == quiet - hour)
        windows[3].breaks = nil
        #expect(KeptFigures.growth(over: windows, loops: 2) == 0)
    }

    @Test("a run of few windows is not called steady", arguments: [1, 2, 5]) func tooFewWindows(count: Int) throws {
        let verdicts = Self.verdicts(try Self.clean(seed: 11, count: count).windows)
        #expect(!verdicts.isEmpty)
        for result in verdicts {
            #expect((result.verdict, result.slopePerHour, result.pValue) == (.tooFewWindows, nil, nil))
        }
        #expect(Self.verdicts([]).isEmpty)
    }

    @Test("a week of windows is judged as surely as an hour, in bounded work") func longRuns() throws {
        var generator = SeededGenerator(seed: 12)
        var series = try WindowSeries(count: 2_016, minutes: 5, using: &generator)
        series.scale("pod_manifest") { 1 + 0.2 * Double($0) / 2_016 }
        let result = try Self.verdict("pod_manifest.response.p50", series)
        #expect(result.verdict == .creeping)
        #expect(result.windows <= DriftSeries.lengthLimit)
        let hours = 168.0
        #expect(abs(try #require(result.slopePerHour) * hours - 52_000 * 0.2) < 1_500)
    }

    @Test("verdicts survive JSON") func figuresAreFinite() throws {
        for result in Self.verdicts(try Self.clean(seed: 13, count: 9).windows) {
            #expect(result.minimumEffectPerHour.isFinite)
            #expect(try #require(result.slopePerHour).isFinite)
            #expect(try #require(result.slopeLowPerHour) <= #require(result.slopeHighPerHour))
        }
    }

    @Test(
        "a run that is no soak is judged from ten minutes on",
        arguments: [(1, false), (9, false), (10, true), (20, true)]
    ) func shortRuns(minutes: Int, isJudged: Bool) throws {
        let series = try Self.clean(seed: 15, count: minutes)
        let verdicts = DriftJudge.verdicts(series.windows, loops: 2, decidesVerdict: false)
        #expect(verdicts.isEmpty == !isJudged)
        #expect(DriftJudge.verdicts([], loops: 2, decidesVerdict: false).isEmpty)
    }

    @Test("many windows within a minute are not judged where that is no soak") func manyShortWindows() throws {
        var generator = SeededGenerator(seed: 16)
        let series = try WindowSeries(count: 60, minutes: 1 / 60, using: &generator)
        #expect(DriftJudge.verdicts(series.windows, loops: 2, decidesVerdict: false).isEmpty)
    }
}
