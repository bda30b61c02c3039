import LoadProfile
import Players
import Rulebook
import Time

@testable import Audience
@testable import Viewer

/// A viewer whose channel cannot be loaded for a while, on the fake clock.
///
/// Segments of four seconds; the viewer plays twelve seconds behind the edge and polls at each multiple of four seconds.
/// From 16 s on no playlist comes, so that at 24 s, eight seconds later, nothing is left to show.
final class OutageScript {
    struct Asked: Equatable {
        /// From the moment at which requests begin to fail.
        var milliseconds: Int64
        /// Of the variant: `v0`, `v1`, or `master` for the multivariant playlist.
        var place: String
    }

    /// When requests begin to fail, in seconds.
    private let begin: Double
    let viewer: ScriptedCrowd
    private(set) var asked: [Asked] = []
    var channel = ScriptedChannel()

    /// People who would notice that a player stops, and bear it for longer than any test.
    static let patient = AbandonmentPlan(afterStall: .seconds(3_600), afterStop: .seconds(3_600))

    /// A viewer that has watched up to the outage.
    init(
        _ persona: Persona,
        variants: Int = 1,
        header: String = "",
        abandonment: AbandonmentPlan? = patient
    ) {
        begin = 16
        channel.header = header
        let plan = LoadPlan.watching(persona) { $0.audience.abandonment = abandonment }
        viewer = .joined(plan, multivariant: variants == 1 ? AnswerBody.oneVariant : nil)
        viewer.watch(channel, seconds: begin - 0.5)
    }

    /// A viewer that joins during the outage.
    init(joining persona: Persona) {
        begin = 0
        viewer = ScriptedCrowd(.watching(persona) { $0.audience.abandonment = Self.patient })
        viewer.join()
    }

    /// Lets requests of the channel fail for so long, each after the seconds given, and writes down when they were made.
    func fail(_ reason: LoadFailure, for seconds: Double, after patience: Double = 0) {
        let end = max(viewer.seconds, begin) + seconds
        // What is left may be less than a nanosecond.
        while viewer.seconds < end - 1e-6, asked.count < 1_000 {
            if let request = viewer.open.first(where: { $0.role == .playlist || $0.role == .multivariant }) {
                asked.append(Asked(milliseconds: milliseconds(viewer.seconds), place: Self.place(request.url)))
                viewer.advance(seconds: patience)
                viewer.answer(request, .failing(reason))
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
