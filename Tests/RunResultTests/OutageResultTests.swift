import ExampleRuns
import Foundation
import TestSupport
import Testing
import Values

@testable import Results

/// Stretches in which a channel could not be loaded, told from a run's steps.
@Suite struct OutageResultTests {
    /// A run of ten viewers, each of whom asks for a playlist every two seconds when all is well.
    private struct Course {
        /// Of each kind of second the playlists that were asked for, those that failed, and the viewers that are there.
        private static let kinds: [Substring: (UInt64, UInt64, Int64)] = [
            "well": (5, 0, 10), "dead": (5, 5, 10), "storm": (15, 15, 10), "brief": (4, 4, 10), "half": (10, 4, 10),
            "silent": (0, 0, 10), "shed": (2, 0, 10), "left": (2, 0, 4),
        ]

        private var series = TimeSeries()
        private var seconds = 0

        /// Reads stretches such as `20 dead`, and what viewers do in a second, such as `33: stopped 6 retries 12`.
        init(_ text: Substring) throws {
            var deeds: [Int: [Substring]] = [:]
            let parts = text.split(separator: ", ").map { $0.split(separator: " ") }
            for part in parts where part[0].hasSuffix(":") {
                deeds[try #require(Int(part[0].dropLast()))] = Array(part.dropFirst())
            }
            for part in parts where !part[0].hasSuffix(":") {
                for _ in 0..<(try #require(Int(part[0]))) { try append(part[1], deeds[seconds] ?? []) }
            }
        }

        private mutating func append(_ kind: Substring, _ deeds: [Substring]) throws {
            let (playlists, failed, viewers) = try #require(Self.kinds[kind])
            var counts = IntervalCounts()
            (counts.requests, counts.errors, counts.activeViewers) = (playlists, failed, viewers)
            var course = SeriesCourse()
            course.requests = ["playlist": playlists]
            if failed > 0 { course.errors = ["playlist": failed] }
            let fields: [Substring: WritableKeyPath<SeriesCourse, UInt64?>] = [
                "stopped": \.playersStopped, "retries": \.retries, "closed": \.playersClosed, "abandoned": \.abandoned,
                "reopened": \.reopened, "lost": \.lost,
            ]
            for place in stride(from: 0, to: deeds.count, by: 2) {
                let count: UInt64 = try #require(UInt64(deeds[place + 1]))
                course[keyPath: try #require(fields[deeds[place]])] = count
            }
            let health = HealthSample(wallMicroseconds: 0)
            series.append(
                SeriesPoint(startMilliseconds: Int64(seconds) * 1_000, counts: counts, health: health, course: course)
            )
            seconds += 1
        }

        var result: SeriesResult { SeriesResult(series) }
    }

    private static func told(_ outage: OutageResult) -> String {
        let before = outage.requestsPerSecondBefore.map { "\($0)" } ?? "unknown"
        let recovery = outage.recoveryMilliseconds.map { "recovered after \($0 / 1_000) s" } ?? "never recovered"
        return "\(outage.beganMilliseconds / 1_000) to \(outage.endedMilliseconds / 1_000) s, \(recovery);"
            + " \(outage.errors) of \(outage.requests) failed, \(before) a second before, at most"
            + " \(outage.requestsPerSecondMaximum); \(outage.retries) retries, \(outage.abandoned) abandoned,"
            + " \(outage.reopened) reopened, at most \(outage.stoppedViewersMaximum) stopped"
    }

    /// Each course of the file is followed by the outages in it.
    @Test func eachCourseHasTheOutagesThatItsFileSays() throws {
        let path = "Tests/RunResultTests/Rules/outages.txt"
        let lines = try PackageFolder.text(path).split(separator: "\n").filter { !$0.hasPrefix("  ") }
        let told = try lines.flatMap { line in
            guard !line.hasPrefix("#") else { return [String(line)] }
            let outages = OutageResult.all(in: try Course(line).result)
            return [String(line)] + (outages?.map { "  \(Self.told($0))" } ?? ["  none"])
        }
        try GoldenFile.expect(told.map { $0 + "\n" }.joined(), at: path)
    }

    @Test func whoStoppedAndWhoComesBackIsKnownInEachStep() throws {
        let run = try Course("60 well, 33: stopped 6, 40: closed 5 abandoned 5 lost 1, 52: reopened 4").result
        #expect(run.stoppedViewers[39] == 6 && run.stoppedViewers.last == 1)
        #expect(run.comingBack[39] == 0 && run.comingBack[40] == 4 && run.comingBack.last == 0)
    }

    @Test func aCourseIsReadAsItWasWritten() throws {
        var course = SeriesCourse()
        #expect(String(decoding: try DocumentEncoding().encode(course), as: UTF8.self) == "{}")
        (course.requests, course.errors) = (["playlist": 3], ["playlist": 2])
        (course.retries, course.playersStopped, course.playersClosed) = (4, 5, 6)
        (course.abandoned, course.reopened, course.lost) = (7, 8, 9)
        #expect(try reread(course) == course)
    }
}
