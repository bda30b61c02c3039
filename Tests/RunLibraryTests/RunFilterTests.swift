import Comparison
import Foundation
import TestSupport
import Testing

@Suite struct RunFilterTests {
    /// 2026-03-10T12:00:00Z.
    private static let noon: Int64 = 1_773_144_000_000_000

    private func row(_ profile: String, _ outcome: String, _ labels: [String: String], at time: Int64) throws -> RunRow
    {
        try RunRow(
            json: StoredResult().json([
                "run.profile": profile, "verdict.outcome": outcome, "run.labels": labels, "run.started_at_us": time,
            ]),
            path: "\(profile)-\(time).json"
        )
    }

    @Test func eachFilterTakesAway() throws {
        let list = RunList(
            rows: [
                try row("quick", "passed", ["release": "1.4"], at: Self.noon),
                try row("quick", "failed", ["release": "1.5", "place": "lab"], at: Self.noon + 1_000_000),
                try row("final", "client_limited", [:], at: Self.noon + 86_400_000_000),
            ],
            leftOut: []
        )
        #expect(list.rows.map(\.profile) == ["final", "quick", "quick"])
        func count(_ change: (inout RunFilter) throws -> Void) rethrows -> Int {
            var filter = RunFilter()
            try change(&filter)
            return list.filtered(by: filter).rows.count
        }
        #expect(count { _ in } == 3)
        #expect(count { $0.profiles = ["quick"] } == 2)
        #expect(count { $0.profiles = ["quick", "final"] } == 3)
        #expect(try count { $0.outcomes = [try RunFilter.outcome("client-limited")] } == 1)
        #expect(try count { $0.labels = [try RunFilter.label("release")] } == 2)
        #expect(try count { $0.labels = [try RunFilter.label("release=1.5"), try RunFilter.label("place=lab")] } == 1)
        #expect(try count { $0.labels = [try RunFilter.label("release=1.5"), try RunFilter.label("place=x")] } == 0)
        let day = { (text: String, isEnd: Bool) in try RunFilter.instant(text, isEnd: isEnd, now: Self.noon) }
        #expect(try count { $0.since = try day("2026-03-11", false) } == 1)
        #expect(try count { $0.until = try day("2026-03-10", true) } == 2)
        #expect(try count { $0.until = try day("2026-03-10T12:00:00Z", true) } == 1)
    }

    @Test(arguments: [
        ("2026-03-10", false, 0), ("2026-03-10", true, 86_399_999_999), ("2026-03-10T12:00:00Z", false, 43_200_000_000),
        ("2026-03-10T12:00:00.500Z", false, 43_200_500_000), ("0d", false, 43_200_000_000),
        ("1d", false, 43_200_000_000 - 86_400_000_000), ("12h", false, 0), ("1h30m", false, 37_800_000_000),
    ])
    func timesAreRead(text: String, isEnd: Bool, offset: Int64) throws {
        let midnight = Self.noon - 43_200_000_000
        #expect(try RunFilter.instant(text, isEnd: isEnd, now: Self.noon) == midnight + offset)
    }

    @Test(arguments: ["", "yesterday", "2026-3-1", "2026-13-45", "-3d", "99999999999999999999d", "3", "d"])
    func otherTimesAreMistakes(text: String) {
        #expect(throws: RunFilter.Mistake.self) { try RunFilter.instant(text, isEnd: false, now: Self.noon) }
    }
}
