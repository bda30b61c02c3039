package import Time

/// What logs say of an audience.
package struct AudienceFigures: Equatable, Sendable {
    /// The audience at one instant.
    package struct Point: Equatable, Sendable {
        /// Seconds from the first request.
        package var second: Int
        package var viewers: Int

        package init(second: Int, viewers: Int) {
            self.second = second
            self.viewers = viewers
        }
    }

    /// How long viewers stay, in seconds, by the product-limit estimator of Kaplan and Meier (1958): a stay that the log cuts
    /// off counts as one of at least that length.
    package struct Stays: Equatable, Sendable {
        /// With their ends in the log.
        package var whole = 0
        /// That go on at its end.
        package var cutOff = 0
        /// That were under way at its beginning; they are not counted.
        package var underWay = 0
        /// By the share that has left by then; without those that the log is too short for.
        package var percentiles: [Percentile] = []
    }

    package struct Percentile: Equatable, Sendable {
        package var share: Double
        package var value: Double
    }

    /// One kind of player, by what it calls itself.
    package struct Player: Equatable, Sendable {
        /// The product's name.
        package var name: String
        package var group: PlayerGroup
        package var viewers: Int
        /// Of the time that all viewers watched.
        package var share: Double
        /// Time between two polls of one playlist.
        package var pollMeanMilliseconds: Double?
        package var polls: [Percentile] = []
    }

    /// A time in which many asked for ads.
    package struct Break: Equatable, Sendable {
        /// From the first request, when a hundredth of them had asked.
        package var milliseconds: Int
        package var asked: Int
        /// Who was there then.
        package var present: Int
        /// Milliseconds from its beginning until a share of all that asked had asked.
        package var delays: [Percentile] = []

        /// Of those who were there; nil where nobody was seen.
        package var share: Double? { present > 0 ? Double(asked) / Double(present) : nil }
    }

    /// A share of the requests for the programme, by what told who made them.
    package struct MarkShare: Equatable, Sendable {
        package var mark: ViewerMark
        package var share: Double
        /// Whether they were left out: where sessions tell others, what has none is the beginning of one.
        package var isLeftOut: Bool
    }

    package var files = 0
    package var bytes = 0
    package var lines = 0
    /// Lines that say of no request, and where the first few stand.
    package var meaningless = 0
    package var meaninglessPlaces: [String] = []
    package var requests: [RequestCount] = []
    /// Outside of the time that was asked for, or too far from the first one.
    package var outside = 0
    package var untold = 0
    package var start = WallTime(microseconds: 0)
    /// From the first request to the last.
    package var seconds = 0
    package var gap = Duration.zero
    /// Whether stamps are of whole seconds.
    package var hasWholeSeconds = false
    package var marks: [MarkShare] = []
    /// One in so many viewers was looked at.
    package var sampledOneIn = 1
    package var viewers = 0
    package var peak = 0
    /// Few points, between which the audience is a line.
    package var curve: [Point] = []
    /// How far that is from the audience of any second at most, in viewers.
    package var curveError = 0
    package var isUnderWayAtStart = false
    /// Who was there, at every so many seconds.
    package var presence: [Point] = []
    package var joinsPerMinuteAtMost = 0
    /// The share of the audience that leaves in a minute and is replaced.
    package var churnPerMinute = 0.0
    package var stays = Stays()
    package var players: [Player] = []
    package var breaks: [Break] = []
    /// Within seconds of coming.
    package var asksOnJoining = 0
    /// At other times, in no break.
    package var asksApart = 0
    package var joinedStays = 0
    /// What cannot be said, and what was taken for granted.
    package var notes: [String] = []
}

/// Requests of one kind.
package struct RequestCount: Equatable, Sendable {
    package var kind: String
    package var count: Int
}
