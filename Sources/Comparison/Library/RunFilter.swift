import Results
import Values

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
            throw Mistake(
                description: "'\(text)' is not a verdict; did you mean '\(NearestName.of(name, among: outcomes))'?"
            )
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
