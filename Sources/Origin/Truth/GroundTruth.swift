package import AdServing
package import Foundation
import JSON

/// What the origin saw and did since it started; the other half of a client's own counts.
package struct GroundTruth: Decodable, Equatable, JSONDocument, Sendable {
    /// Requests of one kind.
    package struct KindCount: Codable, Sendable, Equatable {
        /// Request heads that arrived, counted before anything else is done with them.
        package var received = 0
        /// Answers by status code as text; a request that was reset on purpose has none.
        package var answered: [String: Int] = [:]
        /// Requests that a planned fault touched.
        package var faulted = 0
        /// Requests that came by a redirect of the origin's own; not part of `received`, but of `answered`.
        package var redirected = 0
    }

    /// Registered stream sessions.
    package struct SessionTruth: Codable, Sendable, Equatable {
        package var registered = 0
        /// Neither expired nor forgotten.
        package var active = 0
        /// Most requests that carried one session's stream id.
        package var maximumRequests = 0
        /// Most pod manifests that one session asked for.
        package var maximumPodManifests = 0
        /// Most different pod identifiers that one session asked for.
        package var maximumPodIdentifiers = 0
        /// Media verifications of a prefix that metadata lists, without the rest of the id.
        package var barePrefixes = 0
    }

    /// Connections that carried at least one request.
    package struct ConnectionTruth: Codable, Sendable, Equatable {
        package var total = 0
        package var open = 0
        package var maximumRequests = 0
        /// Connections by the kind of their first request.
        package var openedFor: [String: Int] = [:]
        /// Connections on which requests of two or more viewers, by header `x-podswarm-viewer` or stream id, arrived.
        package var sharedBetweenSessions = 0
        /// Connections on which some request named its viewer.
        package var attributed = 0
    }

    /// Viewers by the header `x-podswarm-viewer`.
    package struct ViewerTruth: Codable, Sendable, Equatable {
        package var seen = 0
        /// Most connections that one viewer opened over the whole time.
        package var maximumConnections = 0
    }

    /// Answers of the live channel that waited, or were shortened (bis-22 section 6.2.5).
    package struct DeliveryTruth: Codable, Sendable, Equatable {
        /// Answers that waited for a segment or part.
        package var held = 0
        /// The sum of their waits.
        package var heldMicroseconds: Int64 = 0
        package var maximumHeldMicroseconds: Int64 = 0
        /// How long after its instant the last answer of a release was made.
        package var maximumLateMicroseconds: Int64 = 0
        /// Different instants at which answers were released.
        package var releases = 0
        /// Most answers that waited at one time.
        package var maximumWaiters = 0
        /// Blocking requests for what was there already.
        package var immediate = 0
        /// 400: directives that are wrong or too far ahead.
        package var refused = 0
        /// 503: three target durations went by without what was asked for.
        package var timedOut = 0
        /// Requests for parts that were hinted and never came.
        package var hintsGone = 0
        /// Delta updates sent.
        package var deltaUpdates = 0
        /// Whole playlists sent because nothing was old enough to be left out of a delta update.
        package var deltaUpdatesWhole = 0
        /// Requests with directives whose query parameters are not in UTF-8 order, so that caches keep them twice.
        package var outOfOrder = 0
        /// Requests of the live channel without the query parameter that its variables carry on.
        package var withoutToken = 0
    }

    /// Content steering manifests.
    package struct SteeringTruth: Codable, Sendable, Equatable {
        package var answered = 0
        /// 429.
        package var refused = 0
        /// By `_HLS_pathway`.
        package var reported: [String: Int] = [:]
        package var withoutPathway = 0
    }

    /// What was asked for one break.
    package struct BreakTruth: Codable, Sendable, Equatable {
        /// Pod manifest requests by pod identifier, as spelt in the path.
        package var identifiers: [String: Int] = [:]
        package var podRequests = 0
        /// Pod manifest requests by `pd`, as it is spelt; without one, under the empty text.
        package var lengths: [String: Int] = [:]
        /// Pod manifest requests that carry a splice, by `scte35`.
        package var splices: [String: Int] = [:]
        /// Arrival of the first pod manifest request, microseconds since the Unix epoch.
        package var firstMicroseconds: Int64 = 0
        /// Arrival of the last one, microseconds since the Unix epoch.
        package var lastMicroseconds: Int64 = 0
    }

    /// What was asked for one interstitial.
    package struct InterstitialTruth: Codable, Sendable, Equatable {
        /// Asset lists answered.
        package var lists = 0
        /// Viewers told apart by the header `x-podswarm-viewer`, or else by `_HLS_primary_id`.
        package var viewers = 0
        /// Values of `_HLS_start_offset`, as they were spelt, with how many lists were asked with them.
        package var startOffsets: [String: Int] = [:]
        /// Lists and assets asked for without `_HLS_primary_id`.
        package var withoutPrimary = 0
        /// First playlists of assets answered, by their place in the list.
        package var assets: [String: Int] = [:]
        /// Tracking pings by asset and event, such as `0/impression`; of the whole, such as `all/podStart`.
        package var beacons: [String: Int] = [:]
        /// Pings that a viewer had sent before.
        package var repeatedBeacons = 0
    }

    /// Whom one fault of the plan touched.
    package struct FaultTruth: Codable, Sendable, Equatable {
        /// Different viewers over the whole time, by header `x-podswarm-viewer`, else by session.
        package var viewers = 0
        /// Different viewers by the number of the break, from 1 as in fault plans, in decimal digits.
        package var breaks: [String: Int] = [:]
        /// Touched requests whose viewers found no more room.
        package var notHeld = 0
    }

    /// By kind name; every kind is listed, also those never asked for.
    package var requests: [String: KindCount] = [:]
    package var sessions = SessionTruth()
    package var connections = ConnectionTruth()
    package var viewers = ViewerTruth()
    /// By the start of the scheduled break in whose zone the request arrived; by pod identifier without a schedule.
    package var breaks: [String: BreakTruth] = [:]
    package var delivery = DeliveryTruth()
    /// Requests by pathway, where the channel has several.
    package var pathways: [String: Int] = [:]
    package var steering = SteeringTruth()
    /// By the ID of the interstitial.
    package var interstitials: [String: InterstitialTruth] = [:]
    /// By `header x-region` or `parameter ppid`; nil where none is counted.
    package var told: [String: ToldCount]?
    /// Nil where none are set.
    package var cookies: CookieCount?
    /// Requests touched, by fault name.
    package var faults: [String: Int] = [:]
    /// Whom each fault touched, by fault name.
    package var affected: [String: FaultTruth] = [:]
    /// Start of the origin, microseconds since the Unix epoch.
    package var startedMicroseconds: Int64 = 0
    /// When this was read, microseconds since the Unix epoch.
    package var readMicroseconds: Int64 = 0

    package init() {}

    /// Reads what `json()` wrote.
    ///
    /// - Throws: `DecodingError` for anything else.
    package init(json: Data) throws {
        self = try DocumentDecoding().decode(GroundTruth.self, from: json)
    }
}
