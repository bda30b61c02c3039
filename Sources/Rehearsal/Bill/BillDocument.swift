import Report
import Results

/// Expected requests of a run, printed by `podswarm plan`.
package struct BillDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.bill"
    package static let schemaVersion = 1

    struct Line: Equatable, Codable, Sendable {
        var count: Int
        /// Two standard errors of the count; nil if all viewers were counted.
        var samplingError: Int?
        /// Encoded bodies; nil if only the target knows their size.
        var bodyBytes: Int?
        /// From the stand-in origin; nil if `bodyBytes` is known.
        var estimatedBodyBytes: Int?
        /// Most requests within 100 ms, at `peakAtMilliseconds` since the start.
        var peakPer100Milliseconds: Int
        var peakAtMilliseconds: Int

        private enum CodingKeys: String, CodingKey {
            case count, samplingError, bodyBytes, estimatedBodyBytes, peakAtMilliseconds
            case peakPer100Milliseconds = "peak_per_100ms"
        }
    }

    struct Viewers: Equatable, Codable, Sendable {
        /// Peak of concurrent viewers.
        var planned: Int
        var joined: Int
        var replaced: Int
        /// Counted individually, without replacements.
        var counted: Int
    }

    struct Withheld: Equatable, Codable, Sendable {
        var pings: Int
        var beacons: Int
        var adSegments: Int
    }

    struct Breaks: Equatable, Codable, Sendable {
        var count: Int
        /// Sum over the viewers.
        var due: Int
    }

    var schema = Self.schemaName
    var schemaVersion = Self.schemaVersion
    var podswarmVersion = PodswarmVersion.current
    var profile: String
    var profileDigest: String
    /// Spelled as in profiles.
    var target: String
    /// Join of the first viewer, since the Unix epoch.
    var startsAtMicroseconds: Int64
    var durationMilliseconds: Int64
    var viewers: Viewers
    /// Nil if all join and stay.
    var audienceCurve: PlannedAudience?
    var breaks: Breaks
    /// Requests of renewals count as registrations.
    var renewals: Int
    var requests: [String: Line]
    var total: Line
    var withheld: Withheld
    package var assumptions: [String]
}
