import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// A live channel with dates on the fake clock: what its playlist says at any moment.
struct ScriptedChannel {
    static let base = "http://127.0.0.1:8080/live/main/v0/"

    var target = 4
    var segmentSeconds = 4.0
    var window = 6
    /// Seconds from the end of a segment to its being listed.
    var delay = 0.0
    /// Seconds at which the channel stops bringing news, and the time that it then takes.
    var outage: Range<Double> = 0..<0
    /// Lines before the first segment.
    var header = ""
    var hasDates = true
    var version = 0

    /// Number of the segment that will be listed next: segments are counted from 0 at `window` segments before the start,
    /// and media sequence numbers are those of the segments and `window` more.
    func end(at seconds: Double) -> Int {
        let seen = outage.contains(seconds) ? outage.lowerBound : seconds
        return window + Int(((seen - delay) / segmentSeconds).rounded(.down))
    }

    func text(at seconds: Double) -> String {
        let end = self.end(at: seconds)
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(end)\n" + header
        for number in (end - window)..<end {
            let begin = Double(number - window) * segmentSeconds
            let date = WallTime(microseconds: ScriptedViewer.wallStart.microseconds + Int64(begin * 1e6))
            if hasDates { text += "#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)\n" }
            text += "#EXTINF:\(segmentSeconds),\n\(number).m4s\n"
        }
        return text
    }

    func shared(at seconds: Double) throws -> SharedPlaylist {
        SharedPlaylist(
            version: end(at: seconds) + 100,
            playlist: try .parsed(text(at: seconds)),
            announced: [],
            url: Self.base + "media.m3u8"
        )
    }
}

extension Persona {
    /// A player of a test: what podswarm does without personas, but for what is changed.
    static func forTests(_ change: (inout Persona) -> Void) -> Persona {
        var persona = Persona.ofProfile(LoadPlan.forTests().playback)
        persona.name = "test"
        change(&persona)
        return persona
    }
}

extension LoadPlan {
    /// A plan without breaks whose viewers all have one player.
    static func watching(
        _ persona: Persona = .forTests { _ in },
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> LoadPlan {
        .forTests {
            $0.audience.personas = [PersonaShare(persona, share: 1)]
            $0.breaks.source = .none
            $0.playback.pollsMetadata = false
            change(&$0)
        }
    }
}

extension ScriptedViewer {
    /// A viewer that asked for its first media playlist.
    static func joined(_ plan: LoadPlan, multivariant: String? = nil) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(plan)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        let playlist = try multivariant.map { try MultivariantPlaylist.parsed($0) } ?? .forTests()
        viewer.send(.multivariant(playlist, url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        return viewer
    }

    /// Answers the open playlist request of an index; the answer took this long.
    mutating func answer(
        _ shared: SharedPlaylist,
        index: UInt8 = 0,
        after seconds: Double = 0,
        age: Int32 = -1
    ) throws {
        let opened = try #require(
            open.firstIndex { ($0.role == .playlist || $0.role == .blockingPlaylist) && $0.index == index }
        )
        let request = take(at: opened)
        advance(seconds: seconds)
        send(.playlist(shared, plannedAt: request.plannedAt, index: index, age: age))
    }

    /// The same with a failure.
    mutating func fail(_ reason: LoadFailure, index: UInt8 = 0, after seconds: Double = 0) throws {
        let opened = try #require(
            open.firstIndex { ($0.role == .playlist || $0.role == .blockingPlaylist) && $0.index == index }
        )
        let request = take(at: opened)
        advance(seconds: seconds)
        send(.playlistFailed(plannedAt: request.plannedAt, reason: reason, index: index))
    }

    /// Lets time pass, answering polls from a channel and segments at once.
    mutating func watch(_ channel: ScriptedChannel, seconds: Double) throws {
        let end = self.seconds + seconds
        while self.seconds < end - 1e-9 {
            advance(seconds: min(0.05, end - self.seconds))
            var answered = 0
            while count(.playlist) > 0, answered < 50 {
                answered += 1
                try answer(try channel.shared(at: self.seconds))
            }
            while take(.segment) != nil, answered < 200 {
                answered += 1
                send(.segmentFinished)
            }
        }
    }

    /// Seconds from now to a timer; nil where it is not set.
    func wait(_ timer: ViewerTimer) -> Double? { timers[timer].map { Double($0.nanoseconds(since: now)) / 1e9 } }

    /// How far behind the wall clock the viewer plays, in seconds.
    var latency: Double { Double(machine.playback.latency ?? .min) / 1e9 }

    /// What was added to a counter.
    func added(_ counter: ViewerCounter) -> UInt64 {
        notes.reduce(0) {
            guard case .added(counter, let number) = $1 else { return $0 }
            return $0 + number
        }
    }
}

extension MultivariantPlaylist {
    static func parsed(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not multivariant")
        }
        return playlist
    }
}
