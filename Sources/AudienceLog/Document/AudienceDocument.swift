import JSON
import Time

/// An audience as JSON, with all figures.
package struct AudienceDocument: JSONDocument {
    private let schema = "podswarm.audience"
    private let schemaVersion = 1
    private let read: Read
    private let start: String
    private let seconds: Int
    private let gapSeconds: Int
    private let stamps: String
    private let toldBy: [ToldBy]
    private let sampledOneIn: Int
    private let viewers: Int
    private let peak: Int
    private let curve: [Point]
    private let curveError: Int
    private let underWayAtStart: Bool
    private let presence: [Point]
    private let joinsPerMinuteAtMost: Int
    private let churnPerMinute: Double
    private let stays: Stays
    private let players: [Player]
    private let personas: [Persona]
    private let breaks: [Break]
    private let asksOnJoining: Int
    private let asksApart: Int
    private let notes: [String]

    private struct Read: Encodable {
        var files: Int
        var bytes: Int
        var lines: Int
        var meaningless: Int
        var meaninglessPlaces: [String]
        var requests: [String: Int]
        var outside: Int
        var untold: Int
        var joinedStays: Int

        private enum CodingKeys: String, CodingKey {
            case files
            case bytes
            case lines
            case meaningless
            case meaninglessPlaces = "meaningless_places"
            case requests
            case outside
            case untold
            case joinedStays = "joined_stays"
        }
    }

    private struct ToldBy: Encodable {
        var mark: String
        var share: Double
        var leftOut: Bool

        private enum CodingKeys: String, CodingKey {
            case mark
            case share
            case leftOut = "left_out"
        }
    }

    private struct Point: Encodable {
        var at: Int
        var viewers: Int

        init(_ point: AudienceFigures.Point) {
            at = point.second
            viewers = point.viewers
        }
    }

    private struct Share: Encodable {
        var share: Double
        var value: Double

        init(_ percentile: AudienceFigures.Percentile) {
            share = percentile.share
            value = percentile.value
        }
    }

    private struct Stays: Encodable {
        var whole: Int
        var cutOff: Int
        var underWay: Int
        var secondsByShareLeft: [Share]

        private enum CodingKeys: String, CodingKey {
            case whole
            case cutOff = "cut_off"
            case underWay = "under_way"
            case secondsByShareLeft = "seconds_by_share_left"
        }
    }

    private struct Player: Encodable {
        var name: String
        var group: String
        var viewers: Int
        var share: Double
        var pollMeanMilliseconds: Double?
        var pollMilliseconds: [Share]

        private enum CodingKeys: String, CodingKey {
            case name
            case group
            case viewers
            case share
            case pollMeanMilliseconds = "poll_mean_milliseconds"
            case pollMilliseconds = "poll_milliseconds"
        }
    }

    private struct Persona: Encodable {
        var persona: String
        var name: String?
        var share: Double
    }

    private struct Break: Encodable {
        var atMilliseconds: Int
        var asked: Int
        var present: Int
        var share: Double?
        var delayMilliseconds: [Share]

        private enum CodingKeys: String, CodingKey {
            case atMilliseconds = "at_milliseconds"
            case asked
            case present
            case share
            case delayMilliseconds = "delay_milliseconds"
        }
    }

    /// - Parameters:
    ///   - figures: The audience.
    ///   - browserPlayer: The persona of whoever plays in a page.
    package init(_ figures: AudienceFigures, browserPlayer: String) {
        read = Read(
            files: figures.files,
            bytes: figures.bytes,
            lines: figures.lines,
            meaningless: figures.meaningless,
            meaninglessPlaces: figures.meaninglessPlaces,
            requests: Dictionary(figures.requests.map { ($0.kind, $0.count) }) { $0 + $1 },
            outside: figures.outside,
            untold: figures.untold,
            joinedStays: figures.joinedStays
        )
        start = figures.start.iso8601
        seconds = figures.seconds
        gapSeconds = Int(figures.gap.components.seconds)
        stamps = figures.hasWholeSeconds ? "second" : "millisecond"
        toldBy = figures.marks.map { ToldBy(mark: "\($0.mark)", share: $0.share, leftOut: $0.isLeftOut) }
        sampledOneIn = figures.sampledOneIn
        viewers = figures.viewers
        peak = figures.peak
        curve = figures.curve.map(Point.init)
        curveError = figures.curveError
        underWayAtStart = figures.isUnderWayAtStart
        presence = figures.presence.map(Point.init)
        joinsPerMinuteAtMost = figures.joinsPerMinuteAtMost
        churnPerMinute = figures.churnPerMinute
        stays = Stays(
            whole: figures.stays.whole,
            cutOff: figures.stays.cutOff,
            underWay: figures.stays.underWay,
            secondsByShareLeft: figures.stays.percentiles.map(Share.init)
        )
        // A product that few have may be one person's.
        players = figures.players.filter { $0.group != .other || AudiencePersonas.mayBeNamed($0) }
            .map {
                Player(
                    name: $0.name,
                    group: $0.group.rawValue,
                    viewers: $0.viewers,
                    share: $0.share,
                    pollMeanMilliseconds: $0.pollMeanMilliseconds,
                    pollMilliseconds: $0.polls.map(Share.init)
                )
            }
        personas = AudiencePersonas(figures.players, browserPlayer: browserPlayer).entries
            .map { Persona(persona: $0.persona, name: $0.name, share: Double($0.share) / 10_000) }
        breaks = figures.breaks.map {
            Break(
                atMilliseconds: $0.milliseconds,
                asked: $0.asked,
                present: $0.present,
                share: $0.share,
                delayMilliseconds: $0.delays.map(Share.init)
            )
        }
        asksOnJoining = figures.asksOnJoining
        asksApart = figures.asksApart
        notes = figures.notes
    }

    private enum CodingKeys: String, CodingKey {
        case schema
        case schemaVersion = "schema_version"
        case read
        case start
        case seconds
        case gapSeconds = "gap_seconds"
        case stamps
        case toldBy = "told_by"
        case sampledOneIn = "sampled_one_in"
        case viewers
        case peak
        case curve
        case curveError = "curve_error"
        case underWayAtStart = "under_way_at_start"
        case presence
        case joinsPerMinuteAtMost = "joins_per_minute_at_most"
        case churnPerMinute = "churn_per_minute"
        case stays
        case players
        case personas
        case breaks
        case asksOnJoining = "asks_on_joining"
        case asksApart = "asks_apart"
        case notes
    }
}
