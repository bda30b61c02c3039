package import Results

/// Expected requests of a run, as printed by `podswarm plan`.
///
/// The shipped JSON Schema (`BillDocument.jsonSchema()`) describes every field.
package struct BillDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.bill"
    package static let schemaVersion = 1
    package static let schemaFile = "bill"

    package struct Line: Equatable, Codable, Sendable {
        package var count: Int
        /// Two standard errors of the count; nil if all viewers were counted.
        package var samplingError: Int?
        /// Encoded bodies of the answers; nil if only the target knows their size.
        package var bodyBytes: Int?
        /// Size from the origin that stands in for the target; nil if `bodyBytes` is known.
        package var estimatedBodyBytes: Int?
        /// The most requests within 100 ms, and the start of that interval since the start of the run.
        package var peakPer100Milliseconds: Int
        package var peakAtMilliseconds: Int

        package init(
            count: Int,
            samplingError: Int? = nil,
            bodyBytes: Int?,
            estimatedBodyBytes: Int? = nil,
            peakPer100Milliseconds: Int,
            peakAtMilliseconds: Int
        ) {
            self.count = count
            self.samplingError = samplingError
            self.bodyBytes = bodyBytes
            self.estimatedBodyBytes = estimatedBodyBytes
            self.peakPer100Milliseconds = peakPer100Milliseconds
            self.peakAtMilliseconds = peakAtMilliseconds
        }

        private enum CodingKeys: String, CodingKey {
            case count, samplingError, bodyBytes, estimatedBodyBytes, peakAtMilliseconds
            case peakPer100Milliseconds = "peak_per_100ms"
        }
    }

    package struct Viewers: Equatable, Codable, Sendable {
        /// Peak of concurrent viewers.
        package var planned: Int
        package var joined: Int
        package var replaced: Int
        /// Viewers counted individually, without replacements.
        package var counted: Int

        package init(planned: Int, joined: Int, replaced: Int, counted: Int) {
            self.planned = planned
            self.joined = joined
            self.replaced = replaced
            self.counted = counted
        }
    }

    package struct Withheld: Equatable, Codable, Sendable {
        package var pings: Int
        package var beacons: Int
        package var adSegments: Int

        package init(pings: Int, beacons: Int, adSegments: Int) {
            self.pings = pings
            self.beacons = beacons
            self.adSegments = adSegments
        }
    }

    package struct Breaks: Equatable, Codable, Sendable {
        package var count: Int
        /// Sum over the viewers.
        package var due: Int

        package init(count: Int, due: Int) {
            self.count = count
            self.due = due
        }
    }

    package var schema = Self.schemaName
    package var schemaVersion = Self.schemaVersion
    package var podswarmVersion = PodswarmVersion.current
    package var profile: String
    package var profileDigest: String
    /// The kind of the profile's target, spelled as in profiles.
    package var target: String
    /// Join of the first viewer, since the Unix epoch.
    package var startsAtMicroseconds: Int64
    package var durationMilliseconds: Int64
    package var viewers: Viewers
    /// Viewers over time; nil if all join and stay.
    package var audienceCurve: PlannedAudience?
    package var breaks: Breaks
    /// Renewed sessions; their requests count as registrations.
    package var renewals: Int
    /// Keyed by request kind.
    package var requests: [String: Line]
    package var total: Line
    package var withheld: Withheld
    /// Assumptions and omissions of the figures.
    package var assumptions: [String]

    package init(
        profile: String,
        profileDigest: String,
        target: String,
        startsAtMicroseconds: Int64,
        durationMilliseconds: Int64,
        viewers: Viewers,
        audienceCurve: PlannedAudience? = nil,
        breaks: Breaks,
        renewals: Int,
        requests: [String: Line],
        total: Line,
        withheld: Withheld,
        assumptions: [String]
    ) {
        self.profile = profile
        self.profileDigest = profileDigest
        self.target = target
        self.startsAtMicroseconds = startsAtMicroseconds
        self.durationMilliseconds = durationMilliseconds
        self.viewers = viewers
        self.audienceCurve = audienceCurve
        self.breaks = breaks
        self.renewals = renewals
        self.requests = requests
        self.total = total
        self.withheld = withheld
        self.assumptions = assumptions
    }
}
