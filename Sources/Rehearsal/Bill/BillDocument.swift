package import Report
import Results
import Rules

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

extension BillDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let curve = audienceCurve
        let seconds = Double(durationMilliseconds) / 1_000
        let start = UTCText.iso8601(microseconds: startsAtMicroseconds)
        let held = heldBack.list.map { "Withheld, and not in the sums: \($0)." }
        let title = ["Viewers over time", curve?.shape].compactMap(\.self).joined(separator: ": ")
        let sections = [
            Section("bill", "Bill of \(profile), for a start at \(start)").showing([.said(facts)]),
            Section("course", title).showing([
                curve.map { curve in .typed { CourseText(seconds: seconds, width: $0).lines(curve) } }
            ]), Section("requests", "Requests").showing([table, held.map { .said($0) }]),
            Section("assumptions", "Assumptions").showing([.list(assumptions.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    /// One sentence with a final line feed.
    package func sentence(_ rendering: TextRendering = TextRendering()) -> String {
        let kinds = RequestKind.allCases.compactMap { kind in
            requests[kind.name].map { "\(kind.name) \(TextLayout.grouped($0.count))" }
        }
        let seconds = MetricText.number(Double(durationMilliseconds) / 1_000)
        let all = TextLayout.counted(total.count, "request")
        let held = heldBack.list.map { "; withheld: \($0)" } ?? ""
        let text = "Asks for about \(all) in \(seconds) s: \(kinds.joined(separator: ", "))\(held)."
        return rendering.text([rendering.wrapped(Words(text))])
    }

    private var heldBack: WithheldText {
        WithheldText(pings: withheld.pings, beacons: withheld.beacons, adSegments: withheld.adSegments)
    }

    private var facts: String {
        let replaced = viewers.replaced
        let planned = TextLayout.counted(viewers.planned, "viewer")
        let joining = TextLayout.grouped(viewers.joined - replaced)
        var facts = [
            audienceCurve == nil ? planned : "at most \(planned) at once, \(joining) join",
            "\(MetricText.number(Double(durationMilliseconds) / 1_000)) s",
            "\(TextLayout.counted(breaks.count, "break")), due for "
                + "\(TextLayout.counted(breaks.due, "viewer")) in all",
        ]
        if replaced > 0 { facts.append("\(TextLayout.grouped(replaced)) replaced") }
        if renewals > 0 { facts.append("\(TextLayout.counted(renewals, "session")) renewed") }
        return facts.joined(separator: "; ")
    }

    private var table: Block {
        let lines = RequestKind.allCases.compactMap { kind in requests[kind.name].map { (kind.name, $0) } }
        let table = Table("Table of requests", ["request", "count", "peak in 100 ms", "at", "body bytes"])
        return table.listing(lines + [("all", total)]) { name, line in
            let error = line.samplingError.map { " ± \(TextLayout.grouped($0))" } ?? ""
            let bytes =
                line.bodyBytes.map { TextLayout.grouped($0) }
                ?? line.estimatedBodyBytes.map { "about \(TextLayout.grouped($0))" } ?? "not known"
            return Table.Row([
                Words(name), Words(TextLayout.grouped(line.count) + error),
                .count(line.peakPer100Milliseconds),
                Words("+" + MetricText.rounded(Double(line.peakAtMilliseconds) / 1_000, places: 1) + " s"),
                Words(bytes),
            ])
        }
    }
}
