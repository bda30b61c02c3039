import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Viewer

/// A viewer whose channel cannot be loaded for a while, on the fake clock.
///
/// Segments of four seconds; the viewer plays twelve seconds behind the edge and polls at each multiple of four seconds.
/// From 16 s on no playlist comes, so that at 24 s, eight seconds later, nothing is left to show.
struct OutageScript {
    struct Asked: Equatable {
        /// From the moment at which requests begin to fail.
        var milliseconds: Int64
        /// Of the variant: `v0`, `v1`, or `master` for the multivariant playlist.
        var place: String
    }

    /// When requests begin to fail, in seconds.
    private let begin: Double
    var viewer: ScriptedViewer
    private(set) var asked: [Asked] = []
    var channel = ScriptedChannel()

    /// People who would notice that a player stops, and bear it for longer than any test.
    static let patient = AbandonmentPlan(afterStall: .seconds(3_600), afterStop: .seconds(3_600))

    static let oneVariant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8\n"

    /// A viewer that has watched up to the outage.
    init(
        _ persona: Persona,
        variants: Int = 1,
        header: String = "",
        abandonment: AbandonmentPlan? = patient
    ) throws {
        begin = 16
        channel.header = header
        let plan = LoadPlan.watching(persona) { $0.audience.abandonment = abandonment }
        viewer = try .joined(plan, multivariant: variants == 1 ? Self.oneVariant : nil)
        try viewer.watch(channel, seconds: begin - 0.5)
    }

    /// A viewer that joins during the outage.
    init(joining persona: Persona) {
        begin = 0
        viewer = ScriptedViewer(.watching(persona) { $0.audience.abandonment = Self.patient })
        viewer.send(.join)
    }

    /// Lets requests of the channel fail for so long, each after the seconds given, and writes down when they were made.
    mutating func fail(_ reason: LoadFailure, for seconds: Double, after patience: Double = 0) throws {
        let end = max(viewer.seconds, begin) + seconds
        // What is left may be less than a nanosecond.
        while viewer.seconds < end - 1e-6, asked.count < 1_000 {
            if let place = viewer.open.firstIndex(where: { $0.role == .playlist || $0.role == .multivariant }) {
                let request = viewer.take(at: place)
                asked.append(Asked(milliseconds: milliseconds(viewer.seconds), place: Self.place(request.url)))
                viewer.advance(seconds: patience)
                viewer.send(
                    .playlistFailed(plannedAt: request.plannedAt, reason: reason, index: request.index)
                )
                continue
            }
            let next = viewer.timers.values.min().map { Double($0.nanoseconds(since: viewer.now)) / 1e9 } ?? .infinity
            viewer.advance(seconds: min(max(next, 0), end - viewer.seconds))
        }
    }

    private func milliseconds(_ seconds: Double) -> Int64 { Int64(((seconds - begin) * 1_000).rounded()) }

    private static func place(_ url: String) -> String {
        let pieces = url.split(separator: "/").map(String.init)
        return pieces.last == "multivariant.m3u8" ? "master" : pieces.dropLast().last ?? url
    }

    /// When they were made, in milliseconds from the first that failed.
    var instants: [Int64] { asked.map { $0.milliseconds - asked[0].milliseconds } }

    /// What was asked for, each with when.
    var course: [String] { zip(asked, instants).map { "\($0.place) \($1)" } }

    var isStopped: Bool { viewer.counted(.playersStopped) > 0 }
}
