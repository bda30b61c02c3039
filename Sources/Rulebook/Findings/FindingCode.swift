/// How much a finding weighs.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// A viewer sees or leaks what it must not: fails the run unless the profile allows it.
    case broken
    /// The answer contradicts a rule, yet a player may get through: fails the run unless the profile allows it.
    case wrong
    case suspect
    case advice

    package static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .advice: 0
        case .suspect: 1
        case .wrong: 2
        case .broken: 3
        }
    }
}

/// One row of the table of findings: what podswarm can hold against a target, and why.
package struct FindingCode: Sendable {
    /// What is looked at to find it.
    package enum Group: String, CaseIterable, Sendable {
        /// One answer of one playlist's URL.
        case playlist
        /// Successive answers of one playlist's URL.
        case versions
        /// Playlists of one channel side by side.
        case renditions
        /// Pods, asset lists and their identifiers.
        case pods
        /// Stream sessions, tokens, redirects and tracking.
        case sessions
        /// What several viewers, or several edges, were given.
        case audience
        /// Any answer, whatever it brings: what it says of its own body.
        case answers
    }

    /// The stable name used in thresholds and results.
    package let code: String
    package let group: Group
    package let severity: Severity
    /// What it means for viewers, in a sentence.
    package let meaning: String
    /// Where the rule is written, or that podswarm assumes it.
    package let rule: FindingRule
    /// The likeliest first.
    package let likelyCauses: [String]
    /// What to look at first, in a sentence.
    package let whereToLook: String
    /// The planned fault of the embedded origin that produces it, by its name in a fault plan.
    package let fault: String

    /// A row; the fault has the code's own name unless it is given.
    package init(
        _ code: String,
        _ group: Group,
        _ severity: Severity,
        meaning: String,
        rule: FindingRule,
        likelyCauses: [String],
        whereToLook: String,
        fault: String? = nil
    ) {
        self.code = code
        self.group = group
        self.severity = severity
        self.meaning = meaning
        self.rule = rule
        self.likelyCauses = likelyCauses
        self.whereToLook = whereToLook
        self.fault = fault ?? code
    }

    /// The row of that name, or nil where the table has none.
    ///
    /// - Parameter code: A stable name.
    /// - Returns: The row, if any.
    package static func named(_ code: String) -> FindingCode? { byName[code] }

    /// Whether it follows from when something came, and not from what came: a viewer that was held up itself cannot tell.
    package var restsOnTime: Bool { Self.timed.contains(code) }

    private static let timed: Set<String> = [
        "break_announced_late", "early_return_missed", "metadata_lag", "playlist_stale", "rendition_edge_lags",
    ]

    private static let byName = Dictionary(table.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension FindingCode: Hashable {
    package static func == (lhs: FindingCode, rhs: FindingCode) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
