package import Foundation
import Results
import Rules
import Values

/// One result in a list of runs.
package struct RunRow: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case run
        /// A run judged for drift.
        case soak
        case shard
        /// A run of several shards as a whole.
        case merged
        case searched
        case capacity
    }

    /// Relative to the folder of the results.
    package var path: String
    package var kind: Kind
    package var profile: String
    package var profileDigest: String
    /// Identifies a workload whatever its target.
    package var workloadDigest: String?
    package var hostClass: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    package var labels: [String: String]
    /// Spelled as in results: a run's verdict, or the kind of a capacity's answer.
    package var outcome: String
    /// The gravest reason against the run, or a capacity's answer in words.
    package var reason: String?
    package var isInterrupted = false
    package var isRecovered = false
    /// Nil for a capacity, and if the result does not say.
    package var viewers: Int64?
    package var breaks: Int64 = 0
    /// Viewers due for breaks, and those with their pod in time.
    package var due: Int64 = 0
    package var onTime: Int64 = 0
    /// Occurrences, without advice.
    package var findings: Int64 = 0
    package var findingCodes: [String] = []
    package var requests: Int64 = 0
    package var errors: Int64 = 0
    /// Keyed by the names in `figureNames`.
    package var figuresMicroseconds: [String: Double] = [:]
    /// The reason why histories exclude its figures.
    package var doubt: String?
    package var hasPage = false

    private static let figures =
        [RequestKind.podManifest, .playlist, .assetList].map { ComparedQuantile($0, .response, .p99) }
    package static let figureNames = figures.map(\.name)

    package var onTimePercent: Double? { due > 0 ? Double(onTime) * 100 / Double(due) : nil }

    package var pagePath: String { path.dropLast(".json".count) + ".html" }
}

/// Newest first.
package struct RunList: Equatable, Sendable {
    package var rows: [RunRow]
    /// JSON files that are not results.
    package var leftOut: [LeftOutFile]

    package init(rows: [RunRow], leftOut: [LeftOutFile]) {
        self.rows = rows.sorted {
            ($0.startedAtMicroseconds, Spelling($0.path)) > ($1.startedAtMicroseconds, Spelling($1.path))
        }
        self.leftOut = leftOut.sorted { $0.path < $1.path }
    }

    package func filtered(by filter: RunFilter) -> RunList {
        var list = self
        list.rows.removeAll { !filter.matches($0) }
        return list
    }
}

extension RunRow {
    package init(json: Data, path: String) throws(RunFigures.ReadingError) {
        switch try StoredFigures(json: json, path: path) {
        case .run(let run): self.init(run)
        case .capacity(let search): self.init(search)
        }
    }

    private init(_ result: some DatedResult, _ kind: Kind) {
        (path, self.kind, outcome, doubt) = (result.path, kind, result.outcomeName, result.doubt)
        let about = result.about
        (profile, profileDigest, labels) = (about.profile, about.profileDigest, about.labels)
        hostClass = about.host.hostClass
        startedAtMicroseconds = Self.dated(about.startedAtMicroseconds)
        endedAtMicroseconds = Self.dated(about.endedAtMicroseconds)
    }

    private init(_ run: RunFigures) {
        let about = run.run
        let isShard = about.shard.map { $0.count > 1 } ?? false
        let isSearched = about.labels["capacity"] != nil
        self.init(run, isShard ? .shard : run.isMerged ? .merged : isSearched ? .searched : run.isSoak ? .soak : .run)
        (workloadDigest, isInterrupted, isRecovered) = (about.workloadDigest, about.interrupted, about.recovered != nil)
        reason = run.verdict.reasons.first
        viewers = about.asked.first { $0.name == "viewers" && $0.requested != nil }?.requested
            .flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        (breaks, due, onTime) = (
            Int64(run.breaks.count), Int64(clamping: run.breaks.due), Int64(clamping: run.breaks.onTime)
        )
        let grave = run.findings.filter { !$0.isAdvice }
        findings = Int64(clamping: grave.reduce(0) { $0 &+ $1.count })
        findingCodes = grave.prefix(20).map(\.code)
        requests = Int64(clamping: run.requests.values.reduce(0) { $0 &+ $1.count })
        errors = Int64(clamping: run.requests.values.reduce(0) { $0 &+ $1.errors })
        for figure in Self.figures { figuresMicroseconds[figure.name] = figure.microseconds(in: run) }
        if kind == .searched, doubt == nil { doubt = "made by a search for a capacity" }
    }

    private init(_ search: CapacityFigures) {
        self.init(search, .capacity)
        isInterrupted = search.state != .ended
        reason = search.answer.text
        doubt = "a search for a capacity"
    }

    /// Limits dates to years with four digits.
    private static func dated(_ microseconds: Int64) -> Int64 { min(max(microseconds, 0), 253_402_300_799_999_999) }
}

/// A string compared by UTF-8 bytes, as file systems and JavaScript do: `String` merges the two spellings of an é.
package struct Spelling: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Spelling, right: Spelling) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package static func < (left: Spelling, right: Spelling) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Empty or nil conditions match every run.
package struct RunFilter: Equatable, Sendable {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package struct Label: Equatable, Sendable {
        package var name: String
        package var value: String?
    }

    package var profiles: Set<String> = []
    package var labels: [Label] = []
    package var outcomes: Set<String> = []
    /// Microseconds since the Unix epoch.
    package var since: Int64?
    package var until: Int64?

    package init() {}

    package func matches(_ row: RunRow) -> Bool {
        (profiles.isEmpty || profiles.contains(row.profile))
            && (outcomes.isEmpty || outcomes.contains(row.outcome))
            && since.map { row.startedAtMicroseconds >= $0 } ?? true
            && until.map { row.startedAtMicroseconds <= $0 } ?? true
            && labels.allSatisfy { label in
                row.labels[label.name].map { label.value == nil || label.value == $0 } ?? false
            }
    }

    package static let outcomes =
        RunVerdict.Outcome.allCases.map(\.rawValue)
        + [CapacityAnswer.Kind.found, .wide, .atLeast, .below, .unknown].map(\.rawValue)

    /// Spelled as in results or with hyphens.
    package static func outcome(_ text: String) throws(Mistake) -> String {
        let name = text.lowercased().replacing("-", with: "_")
        guard outcomes.contains(name) else {
            throw Mistake(description: "'\(text)' is not a verdict; \(NearestName.advice(for: name, among: outcomes))")
        }
        return name
    }

    /// Parses `name=value`, or a name alone for any value.
    package static func label(_ text: String) throws(Mistake) -> Label {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, !name.isEmpty else {
            throw Mistake(description: "'\(text)' is not a label; write name=value, such as release=1.4.2")
        }
        return Label(name: name, value: parts.count > 1 ? parts[1] : nil)
    }

    /// Parses `2026-03-01`, `2026-03-01T02:00:00Z`, or an age such as `30d` or `12h`.
    ///
    /// With `isEnd` a day stands for its last moment. `now` and the result are in microseconds since the Unix epoch.
    package static func instant(_ text: String, isEnd: Bool, now: Int64) throws(Mistake) -> Int64 {
        if text.utf8.count == 10, let day = WallTime(iso8601: text + "T00Z") {
            return day.microseconds + (isEnd ? 86_400_000_000 - 1 : 0)
        }
        if let moment = WallTime(iso8601: text) { return moment.microseconds }
        if text.hasSuffix("d"), let days = Int64(text.dropLast()), (0...36_500).contains(days) {
            return now - days * 86_400_000_000
        }
        if let ago = Duration(text: text) {
            return now - (ago.components.seconds * 1_000_000 + ago.components.attoseconds / 1_000_000_000_000)
        }
        throw Mistake(description: "'\(text)' is not a valid time; write 2026-03-01, 2026-03-01T02:00:00Z, 30d or 12h")
    }
}
