import HLS
import Rules
import Testing

/// A live playlist that is updated too seldom, though each single update could be one that was seen late.
@Suite struct UpdateRhythmTests {
    /// Findings of polling every second a playlist of two-second target durations that is updated every so often.
    private func codes(every interval: Double, polls: Int, asking gap: Double = 1) throws -> [String] {
        var watch = PlaylistWatch()
        return try (0..<polls).flatMap { poll in
            let now = Duration.seconds(Double(poll) * gap)
            let version = LiveVersion().later(Int(Double(poll) * gap / interval))
            return try watch.loaded(version.playlist, askedAt: now, at: now).map(\.code.code)
        }
    }

    @Test(arguments: [3.3, 3.5, 3.8]) func updatesThatAreTooFarApartAreFound(_ interval: Double) throws {
        #expect(try codes(every: interval, polls: 80) == ["playlist_stale"])
    }

    @Test(arguments: [1.9, 2.0, 2.5, 3.0]) func lawfulOnesAreNot(_ interval: Double) throws {
        #expect(try codes(every: interval, polls: 120) == [])
    }

    @Test func fewUpdatesSayNothing() throws { #expect(try codes(every: 3.8, polls: 20) == []) }

    /// A watcher that asks too seldom sees several updates as one.
    @Test func aGapBetweenRequestsIsNoFinding() throws { #expect(try codes(every: 2, polls: 60, asking: 3.5) == []) }
}
