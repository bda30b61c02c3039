package import AdServing
package import Foundation
import Values

/// Since the origin's start, to compare with a client's counts.
package struct GroundTruth: Decodable, Equatable, JSONDocument, Sendable {
    package struct KindCount: Codable, Sendable, Equatable {
        /// Request heads, counted on arrival.
        package var received = 0
        /// Keys are status codes; requests that were reset on purpose are left out.
        package var answered: [String: Int] = [:]
        package var faulted = 0
        /// Requests after the origin's own redirects, which `received` leaves out.
        package var redirected = 0
    }

    package struct SessionTruth: Codable, Sendable, Equatable {
        package var registered = 0
        /// Neither expired nor dropped.
        package var active = 0
        /// For one session.
        package var maximumRequests = 0
        /// For one session.
        package var maximumPodManifests = 0
        /// For one session; different ones.
        package var maximumPodIdentifiers = 0
        /// A listed prefix without the rest of the id.
        package var barePrefixes = 0
    }

    package struct ConnectionTruth: Codable, Sendable, Equatable {
        package var total = 0
        package var open = 0
        package var maximumRequests = 0
        /// Keys are kinds of the first request.
        package var openedFor: [String: Int] = [:]
        /// With requests of several viewers, by header `x-podswarm-viewer` or stream id.
        package var sharedBetweenSessions = 0
        /// With a request that named its viewer.
        package var attributed = 0
    }

    /// Identified by the header `x-podswarm-viewer`.
    package struct ViewerTruth: Codable, Sendable, Equatable {
        package var seen = 0
        /// Total of one viewer.
        package var maximumConnections = 0
    }

    /// Answers that waited or were shortened (bis-22 section 6.2.5).
    package struct DeliveryTruth: Codable, Sendable, Equatable {
        package var held = 0
        package var heldMicroseconds: Int64 = 0
        package var maximumHeldMicroseconds: Int64 = 0
        /// After the instant of release.
        package var maximumLateMicroseconds: Int64 = 0
        package var releases = 0
        /// At one time.
        package var maximumWaiters = 0
        /// The content already existed.
        package var immediate = 0
        /// 400: directives that are invalid or too far ahead.
        package var refused = 0
        /// 503: the content did not appear within three target durations.
        package var timedOut = 0
        /// Hinted parts that never came.
        package var hintsGone = 0
        package var deltaUpdates = 0
        /// Nothing was old enough to skip.
        package var deltaUpdatesWhole = 0
        /// Parameters not in UTF-8 order: caches store them twice.
        package var outOfOrder = 0
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
        /// As spelt in the path.
        package var identifiers: [String: Int] = [:]
        package var podRequests = 0
        /// Keys are `pd` as spelt; empty without one.
        package var lengths: [String: Int] = [:]
        /// Keys are `scte35`.
        package var splices: [String: Int] = [:]
        /// Arrival of the first pod manifest request, since the Unix epoch.
        package var firstMicroseconds: Int64 = 0
        /// Arrival of the last pod manifest request, since the Unix epoch.
        package var lastMicroseconds: Int64 = 0
    }

    package struct InterstitialTruth: Codable, Sendable, Equatable {
        package var lists = 0
        /// Identified by `x-podswarm-viewer`, else by `_HLS_primary_id`.
        package var viewers = 0
        /// Keys are `_HLS_start_offset` as spelt.
        package var startOffsets: [String: Int] = [:]
        /// Without `_HLS_primary_id`.
        package var withoutPrimary = 0
        /// First playlists, by index in the list.
        package var assets: [String: Int] = [:]
        /// Keys name asset and event, such as `0/impression` or `all/podStart`.
        package var beacons: [String: Int] = [:]
        package var repeatedBeacons = 0
    }

    package struct FaultTruth: Codable, Sendable, Equatable {
        /// Identified by `x-podswarm-viewer`, else by session.
        package var viewers = 0
        /// Viewers by the break's number, from 1 as in fault plans.
        package var breaks: [String: Int] = [:]
        package var notHeld = 0
    }

    /// Kinds without requests are included.
    package var requests: [String: KindCount] = [:]
    package var sessions = SessionTruth()
    package var connections = ConnectionTruth()
    package var viewers = ViewerTruth()
    /// Keys are starts of the breaks in whose zones requests arrived; pod identifiers without a schedule.
    package var breaks: [String: BreakTruth] = [:]
    package var delivery = DeliveryTruth()
    package var pathways: [String: Int] = [:]
    package var steering = SteeringTruth()
    package var interstitials: [String: InterstitialTruth] = [:]
    /// Keys are such as `header x-region` or `parameter ppid`; nil if none is counted.
    package var told: [String: ToldCount]?
    package var cookies: CookieCount?
    package var faults: [String: Int] = [:]
    package var affected: [String: FaultTruth] = [:]
    /// Microseconds since the Unix epoch.
    package var startedMicroseconds: Int64 = 0
    /// Microseconds since the Unix epoch.
    package var readMicroseconds: Int64 = 0

    package init() {}

    /// Throws `DecodingError`.
    package init(json: Data) throws { self = try DocumentDecoding().decode(GroundTruth.self, from: json) }
}

/// Names are those of a client's counts.
enum RequestKind: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant, playlist, segment, podManifest, podPlaylist, podSegment, metadata, verification, assetList
    /// An asset's first playlist.
    case assetManifest
    /// Includes the hold in its time.
    case blockingPlaylist
    case part, steering, beacon, sessionUpdate, preflight
    /// Unknown path, or disallowed method.
    case other

    var name: String { Self.names[Int(rawValue)] }

    private static let names = allCases.map { kind in
        "\(kind)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}
