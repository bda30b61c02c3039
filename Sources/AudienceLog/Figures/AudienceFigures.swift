package import Foundation
package import Time

/// The audience that logs tell of, as the document that `--json` writes: its members have these names in snake case.
package struct AudienceFigures: Encodable, Equatable, Sendable {
    package struct Point: Encodable, Equatable, Sendable {
        /// Seconds from the first request.
        package var at: Int
        package var viewers: Int
    }

    package struct Percentile: Encodable, Equatable, Sendable {
        package var share: Double
        package var value: Double
    }

    /// The logs, as they were read.
    package struct Read: Encodable, Equatable, Sendable {
        package var files = 0
        package var bytes = 0
        package var lines = 0
        /// Lines that say of no request, and the places of the first few.
        package var meaningless = 0
        package var meaninglessPlaces: [String] = []
        package var requests: [String: Int] = [:]
        /// Outside of the time that was asked for, or too far from the first one.
        package var outside = 0
        package var untold = 0
        /// Always none, because there is room for all stays; a member for the programs that read it.
        private let joinedStays = 0
    }

    package enum Stamps: String, Encodable, Sendable {
        case second
        case millisecond
    }

    /// A share of the requests for the programme, by the mark of their viewers.
    package struct MarkShare: Encodable, Equatable, Sendable {
        package var mark: ViewerMark
        package var share: Double
        /// A request without a session is the beginning of one, in logs where others have it.
        package var leftOut: Bool
    }

    /// How long viewers stay, by the product-limit estimator of Kaplan and Meier (1958): a stay that the log cuts off counts as
    /// one of at least that length.
    package struct Stays: Encodable, Equatable, Sendable {
        /// With their ends in the log.
        package var whole = 0
        /// That go on at its end.
        package var cutOff = 0
        /// That were under way at its beginning; they are not counted.
        package var underWay = 0
        /// By the share that has left by then; without those that the log is too short for.
        package var secondsByShareLeft: [Percentile] = []
    }

    package struct Player: Encodable, Equatable, Sendable {
        /// The product's name.
        package var name: String
        package var group: PlayerGroup
        package var viewers: Int
        /// Of the time that all viewers watched.
        package var share: Double
        /// Time between two polls of one playlist.
        package var pollMeanMilliseconds: Double?
        package var pollMilliseconds: [Percentile] = []
    }

    /// A time in which many asked for ads.
    package struct Break: Encodable, Equatable, Sendable {
        /// From the first request, when a hundredth of them had asked.
        package var atMilliseconds: Int
        package var asked: Int
        /// Who was there then.
        package var present: Int
        /// Of those who were there; nil where nobody was seen.
        package var share: Double?
        /// From its beginning until a share of all that asked had asked.
        package var delayMilliseconds: [Percentile]

        init(atMilliseconds: Int, asked: Int, present: Int, delayMilliseconds: [Percentile]) {
            self.atMilliseconds = atMilliseconds
            self.asked = asked
            self.present = present
            self.delayMilliseconds = delayMilliseconds
            share = present > 0 ? Double(asked) / Double(present) : nil
        }
    }

    private let schema = "podswarm.audience"
    private let schemaVersion = 1
    package var read = Read()
    package var start = WallTime(microseconds: 0)
    /// From the first request to the last.
    package var seconds = 0
    package var gapSeconds = 0
    package var stamps = Stamps.millisecond
    package var toldBy: [MarkShare] = []
    /// One in so many viewers was looked at.
    package var sampledOneIn = 1
    package var viewers = 0
    package var peak = 0
    /// Few points, between which the audience is a line.
    package var curve: [Point] = []
    /// How far that is from the audience of any second at most, in viewers.
    package var curveError = 0
    package var underWayAtStart = false
    /// The audience at every so many seconds.
    package var presence: [Point] = []
    package var joinsPerMinuteAtMost = 0
    /// The share of the audience that leaves in a minute and is replaced.
    package var churnPerMinute = 0.0
    package var stays = Stays()
    /// Products that may be named: one that few have may be one person's.
    package var players: [Player] = []
    package var personas: [AudiencePersona] = []
    package var breaks: [Break] = []
    /// Within seconds of coming.
    package var asksOnJoining = 0
    /// At other times, in no break.
    package var asksApart = 0
    /// Limits of the log, and assumptions.
    package var notes: [String] = []

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(self) + [0x0A]
    }
}
