import Report
import Results

/// Expected requests of a run, as printed by `podswarm plan`.
///
/// The shipped JSON Schema (`BillDocument.jsonSchema()`) describes every field.
package struct BillDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.bill"
    package static let schemaVersion = 1
    package static let schemaFile = "bill"

    struct Line: Equatable, Codable, Sendable {
        var count: Int
        /// Two standard errors of the count; nil if all viewers were counted.
        var samplingError: Int?
        /// Encoded bodies of the answers; nil if only the target knows their size.
        var bodyBytes: Int?
        /// Size from the origin that stands in for the target; nil if `bodyBytes` is known.
        var estimatedBodyBytes: Int?
        /// The most requests within 100 ms, and the start of that interval since the start of the run.
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
        /// Viewers counted individually, without replacements.
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
    /// The kind of the profile's target, spelled as in profiles.
    var target: String
    /// Join of the first viewer, since the Unix epoch.
    var startsAtMicroseconds: Int64
    var durationMilliseconds: Int64
    var viewers: Viewers
    /// Viewers over time; nil if all join and stay.
    var audienceCurve: PlannedAudience?
    var breaks: Breaks
    /// Renewed sessions; their requests count as registrations.
    var renewals: Int
    /// Keyed by request kind.
    var requests: [String: Line]
    var total: Line
    var withheld: Withheld
    /// Assumptions and omissions of the figures.
    package var assumptions: [String]
}
