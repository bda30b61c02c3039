package import Recording

package struct Progress: Equatable, Sendable {
    package struct ViewerState: Equatable, Sendable {
        package var name: String
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    package struct LastBreak: Equatable, Sendable {
        package var key: String
        package var due: UInt64
        /// From 0 to 100.
        package var onTimePercent: Double

        package init(key: String, due: UInt64, onTimePercent: Double) {
            self.key = key
            self.due = due
            self.onTimePercent = onTimePercent
        }

        /// `record` includes the viewers that were shut out.
        package init(_ record: BreakRecord) {
            let percent = Double(record.onTime) * 100 / Double(max(record.due, 1))
            self.init(key: record.key, due: record.due, onTimePercent: percent)
        }
    }

    package var profile: String
    package var elapsedSeconds: Int
    /// Nil for a run without an end.
    package var secondsLeft: Int?
    /// In the order of a viewer's life cycle.
    package var viewers: [ViewerState]
    package var requestsPerSecond: Double
    package var requests: UInt64
    package var errors: UInt64
    package var findings: UInt64
    /// Nil if no further break is known.
    package var secondsToNextBreak: Int?
    package var lastBreak: LastBreak?

    package init(
        profile: String,
        elapsedSeconds: Int,
        secondsLeft: Int?,
        viewers: [ViewerState],
        requestsPerSecond: Double,
        requests: UInt64,
        errors: UInt64,
        findings: UInt64,
        secondsToNextBreak: Int?,
        lastBreak: LastBreak?
    ) {
        self.profile = profile
        self.elapsedSeconds = elapsedSeconds
        self.secondsLeft = secondsLeft
        self.viewers = viewers
        self.requestsPerSecond = requestsPerSecond
        self.requests = requests
        self.errors = errors
        self.findings = findings
        self.secondsToNextBreak = secondsToNextBreak
        self.lastBreak = lastBreak
    }
}
