package import AdServing
package import Foundation
import Values

/// Counts of the origin since it started, to compare with a client's own.
package struct GroundTruth: Decodable, Equatable, JSONDocument, Sendable {
    package struct KindCount: Codable, Sendable, Equatable {
        /// Request heads, counted on arrival.
        package var received = 0
        /// Answers by status code as text; requests that were reset on purpose are not counted.
        package var answered: [String: Int] = [:]
        package var faulted = 0
        /// Requests that followed one of the origin's own redirects; counted in `answered`, but not in `received`.
        package var redirected = 0
    }

    package struct SessionTruth: Codable, Sendable, Equatable {
        package var registered = 0
        /// Neither expired nor dropped.
        package var active = 0
        /// Maximum of one session.
        package var maximumRequests = 0
        /// Maximum of one session.
        package var maximumPodManifests = 0
        /// Maximum of different identifiers in one session.
        package var maximumPodIdentifiers = 0
        /// Media verifications of a listed prefix without the rest of the id.
        package var barePrefixes = 0
    }

    package struct ConnectionTruth: Codable, Sendable, Equatable {
        package var total = 0
        package var open = 0
        package var maximumRequests = 0
        /// Keys are kinds of the first request.
        package var openedFor: [String: Int] = [:]
        /// Connections with requests of several viewers, by header `x-podswarm-viewer` or stream id.
        package var sharedBetweenSessions = 0
        /// Connections with a request that named its viewer.
        package var attributed = 0
    }

    /// Viewers by the header `x-podswarm-viewer`.
    package struct ViewerTruth: Codable, Sendable, Equatable {
        package var seen = 0
        /// Maximum of connections that one viewer opened in total.
        package var maximumConnections = 0
    }

    /// Answers of the live channel that waited, or were shortened (bis-22 section 6.2.5).
    package struct DeliveryTruth: Codable, Sendable, Equatable {
        package var held = 0
        package var heldMicroseconds: Int64 = 0
        package var maximumHeldMicroseconds: Int64 = 0
        /// Maximum delay of an answer after the instant of its release.
        package var maximumLateMicroseconds: Int64 = 0
        package var releases = 0
        /// Maximum of answers that waited at one time.
        package var maximumWaiters = 0
        /// Blocking requests for content that already existed.
        package var immediate = 0
        /// 400: directives that are invalid or too far ahead.
        package var refused = 0
        /// 503: the content did not appear within three target durations.
        package var timedOut = 0
        /// Requests for parts that were hinted and never came.
        package var hintsGone = 0
        package var deltaUpdates = 0
        /// Whole playlists sent because nothing was old enough to skip.
        package var deltaUpdatesWhole = 0
        /// Requests with directives whose query parameters are not in UTF-8 order, so that caches store them twice.
        package var outOfOrder = 0
        /// Requests of the live channel without the token of its variables.
        package var withoutToken = 0
    }

    package struct SteeringTruth: Codable, Sendable, Equatable {
        package var answered = 0
        /// 429.
        package var refused = 0
        /// Keys are values of `_HLS_pathway`.
        package var reported: [String: Int] = [:]
        package var withoutPathway = 0
    }

    package struct BreakTruth: Codable, Sendable, Equatable {
        /// Pod manifest requests by pod identifier, as spelt in the path.
        package var identifiers: [String: Int] = [:]
        package var podRequests = 0
        /// Pod manifest requests by `pd` as spelt; empty without one.
        package var lengths: [String: Int] = [:]
        /// Pod manifest requests by `scte35`; none without one.
        package var splices: [String: Int] = [:]
        /// Arrival of the first pod manifest request, microseconds since the Unix epoch.
        package var firstMicroseconds: Int64 = 0
        /// Arrival of the last pod manifest request, microseconds since the Unix epoch.
        package var lastMicroseconds: Int64 = 0
    }

    package struct InterstitialTruth: Codable, Sendable, Equatable {
        package var lists = 0
        /// Distinct viewers by the header `x-podswarm-viewer`, or else by `_HLS_primary_id`.
        package var viewers = 0
        /// Lists by `_HLS_start_offset` as spelt.
        package var startOffsets: [String: Int] = [:]
        /// Requests for lists and assets without `_HLS_primary_id`.
        package var withoutPrimary = 0
        /// Answered first playlists of assets, by index in the list.
        package var assets: [String: Int] = [:]
        /// Tracking pings by asset and event, such as `0/impression` or `all/podStart`.
        package var beacons: [String: Int] = [:]
        package var repeatedBeacons = 0
    }

    package struct FaultTruth: Codable, Sendable, Equatable {
        /// Distinct by header `x-podswarm-viewer`, else by session.
        package var viewers = 0
        /// Distinct viewers by the number of the break, from 1 as in fault plans, in decimal digits.
        package var breaks: [String: Int] = [:]
        package var notHeld = 0
    }

    /// Keys are kind names, including kinds without requests.
    package var requests: [String: KindCount] = [:]
    package var sessions = SessionTruth()
    package var connections = ConnectionTruth()
    package var viewers = ViewerTruth()
    /// Keys are starts of the scheduled breaks in whose zones the requests arrived; pod identifiers without a schedule.
    package var breaks: [String: BreakTruth] = [:]
    package var delivery = DeliveryTruth()
    package var pathways: [String: Int] = [:]
    package var steering = SteeringTruth()
    package var interstitials: [String: InterstitialTruth] = [:]
    /// Keys are `header x-region` or `parameter ppid`; nil if none is counted.
    package var told: [String: ToldCount]?
    package var cookies: CookieCount?
    package var faults: [String: Int] = [:]
    package var affected: [String: FaultTruth] = [:]
    /// Start of the origin, microseconds since the Unix epoch.
    package var startedMicroseconds: Int64 = 0
    /// Instant of reading, microseconds since the Unix epoch.
    package var readMicroseconds: Int64 = 0

    package init() {}

    /// Decodes the output of `json()`; throws `DecodingError` for anything else.
    package init(json: Data) throws {
        self = try DocumentDecoding().decode(GroundTruth.self, from: json)
    }
}

/// Kind of a request; names are those of a client's own counts, for comparison.
enum RequestKind: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podPlaylist
    case podSegment
    case metadata
    case verification
    case assetList
    /// The first playlist of an interstitial's asset.
    case assetManifest
    /// A playlist that the server holds until it has news: its time includes the hold.
    case blockingPlaylist
    case part
    case steering
    case beacon
    case sessionUpdate
    /// An unknown path, or a method that the path does not allow.
    case other

    var name: String { Self.names[Int(rawValue)] }

    private static let names = allCases.map { kind in
        "\(kind)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}
