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
    package var isInterrupted: Bool
    package var isRecovered: Bool
    /// Nil for a capacity, and if the result does not say.
    package var viewers: Int64?
    package var breaks: Int64
    /// Viewers due for breaks, and those with their pod in time.
    package var due: Int64
    package var onTime: Int64
    /// Occurrences, without advice.
    package var findings: Int64
    package var findingCodes: [String]
    package var requests: Int64
    package var errors: Int64
    /// Keyed by the names in `figureNames`.
    package var figuresMicroseconds: [String: Double]
    /// The reason why histories exclude its figures.
    package var doubt: String?
    package var hasPage = false

    package static let figureNames = ["pod_manifest.response.p99", "playlist.response.p99", "asset_list.response.p99"]

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
    package struct Refusal: Error, Equatable {
        package var reason: String
    }

    /// - Throws: `Refusal` for another file, or if the needed parts are damaged.
    package init(json: Data, path: String) throws(Refusal) {
        let fields: JSONObject
        do {
            fields = try json.withUnsafeBytes { bytes in
                Result { () throws(JSONError) in try JSONValue(parsing: bytes, within: .result).members }
            }.get()
        } catch {
            throw Refusal(reason: "not a podswarm result: it is \(JSONLimits.result.words(for: error))")
        }
        let version = fields.whole("schema_version")
        switch fields["schema"]?.text {
        case ResultDocument.schemaName? where ResultDocument.readableVersions.contains(Int(clamping: version)):
            try self.init(run: fields, path)
        case CapacityDocument.schemaName? where CapacityDocument.readableVersions.contains(Int(clamping: version)):
            try self.init(capacity: fields, path)
        case ResultDocument.schemaName?, CapacityDocument.schemaName?:
            throw Refusal(reason: "its schema version is \(version), which this podswarm does not read")
        case let other?: throw Refusal(reason: "not a podswarm result: its schema is '\(other.prefix(80))'")
        case nil: throw Refusal(reason: "not a podswarm result: it names no schema")
        }
    }

    private init(about: JSONObject, path: String, kind: Kind, outcome: String) throws(Refusal) {
        guard let profile = about["profile"]?.text, about["started_at_us"]?.number != nil else {
            throw Refusal(reason: "a damaged podswarm result: it does not say what was run when")
        }
        (self.path, self.kind, self.profile, self.outcome) = (path, kind, profile, outcome)
        profileDigest = about["profile_digest"]?.text ?? ""
        workloadDigest = about["workload_digest"]?.text
        let host = about.fields("host")
        hostClass = RunStanding.hostClass(
            cpuModel: host["cpu_model"]?.text ?? "?",
            cpuCount: Int(host.whole("cpu_count")),
            memoryBytes: host["memory_bytes"]?.number ?? 0,
            architecture: host["architecture"]?.text ?? "?",
            isSharedWithTarget: host["shared_with_target"]?.boolean ?? false
        )
        startedAtMicroseconds = Self.dated(about.whole("started_at_us"))
        endedAtMicroseconds = Self.dated(about.whole("ended_at_us"))
        labels = Dictionary(
            about.fields("labels").all.compactMap { label in label.value.text.map { (label.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        isInterrupted = about["interrupted"]?.boolean ?? false
        isRecovered = about["recovered"] != nil
        (breaks, due, onTime, findings, requests, errors) = (0, 0, 0, 0, 0, 0)
        (findingCodes, figuresMicroseconds) = ([], [:])
    }

    private init(run document: JSONObject, _ path: String) throws(Refusal) {
        let (run, verdict, health) = (document.fields("run"), document.fields("verdict"), document.fields("health"))
        guard let outcome = verdict["outcome"]?.text.flatMap(RunVerdict.Outcome.init(rawValue:)) else {
            throw Refusal(reason: "a damaged podswarm result: it has no verdict")
        }
        let mark = run.fields("shard")
        let shard = mark.whole("count") > 1 ? (Int(mark.whole("index")), Int(mark.whole("count"))) : nil
        let isSoak = !(document["drift"]?.elements.isEmpty ?? true)
        let labels = run.fields("labels")
        let kind: Kind =
            shard != nil
            ? .shard
            : document["shards"] != nil
                ? .merged : labels["capacity"] != nil ? .searched : isSoak ? .soak : .run
        try self.init(about: run, path: path, kind: kind, outcome: outcome.rawValue)
        reason = verdict.texts("reasons").first
        viewers = (run["asked"]?.elements ?? []).map(\.members)
            .first { $0["name"]?.text == "viewers" && $0["requested"]?.number != nil }?.whole("requested")
        let breaks = document.fields("breaks")
        self.breaks = breaks.whole("count")
        due = breaks.whole("due")
        onTime = breaks.whole("on_time")
        for finding in (document["findings"]?.elements ?? []).map(\.members)
        where finding["severity"]?.text != Severity.advice.rawValue {
            findings &+= finding.whole("count")
            if let code = finding["code"]?.text, findingCodes.count < 20 { findingCodes.append(code) }
        }
        for kind in document.fields("requests").all {
            let counts = kind.value.members
            requests &+= counts.whole("count")
            errors &+= counts.whole("errors")
            let response = counts.fields("latencies").fields("response")
            let name = "\(kind.name).response.p99"
            guard Self.figureNames.contains(name), response.whole("count") > 0 else { continue }
            figuresMicroseconds[name] = response["p99_us"]?.number.flatMap { $0.isFinite ? $0 : nil }
        }
        doubt =
            RunStanding.doubt(
                outcome: outcome,
                shard: shard,
                isInterrupted: isInterrupted,
                abortedBy: run["aborted_by"]?.text,
                isWithinBudget: health["within_budget"]?.boolean ?? true,
                isSuspect: health["suspect"]?.boolean ?? false,
                healthReason: health.texts("reasons").first
            ) ?? (kind == .searched ? "made by a search for a capacity" : nil)
    }

    private init(capacity document: JSONObject, _ path: String) throws(Refusal) {
        let (answer, state) = (document.fields("answer"), document["state"]?.text ?? "")
        guard let kind = answer["kind"]?.text.flatMap(CapacityAnswer.Kind.init(rawValue:)) else {
            throw Refusal(reason: "a damaged capacity result: it has no answer")
        }
        try self.init(about: document.fields("search"), path: path, kind: .capacity, outcome: kind.rawValue)
        isInterrupted = state != CapacityDocument.State.ended.rawValue
        reason = answer["text"]?.text
        doubt = "a search for a capacity"
    }

    /// Limits dates to years with four digits.
    private static func dated(_ microseconds: Int64) -> Int64 { min(max(microseconds, 0), 253_402_300_799_999_999) }
}

extension JSONObject {
    fileprivate func fields(_ name: String) -> JSONObject { self[name]?.members ?? JSONObject() }

    /// 0 for anything but a number within ±2⁵³.
    fileprivate func whole(_ name: String) -> Int64 {
        guard let number = self[name]?.number, number.magnitude <= 9_007_199_254_740_992 else { return 0 }
        return Int64(number)
    }

    fileprivate func texts(_ name: String) -> [String] { (self[name]?.elements ?? []).compactMap(\.text) }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return []
    }
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
