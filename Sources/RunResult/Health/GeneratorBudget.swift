/// How much the generator may suffer before its run says more about itself than about the target.
///
/// The shape follows Hyperfoil's watchdogs (processor and jitter) and Nighthawk's share of planned requests sent.
package struct GeneratorBudget: Equatable, Codable, Sendable {
    /// Lateness (planned to sent) allowed at the 99th percentile of any request kind.
    package var latenessP99Microseconds: Int64
    /// Delay of a loop above which a second counts as bad.
    package var loopDelayMicroseconds: Int64
    /// Handling (received to read) allowed at the 99th percentile of any request kind; nil in results of versions that did
    /// not look.
    package var handlingP99Microseconds: Int64?
    /// Share of the loops' cores, from 0 to 1, above which a second counts as bad.
    package var cpuShare: Double
    /// Share of bad seconds, from 0 to 1, that is still tolerated.
    package var badSecondsShare: Double
    package var droppedStarts: Int
    /// Share of the descriptor limit, from 0 to 1, that may be open; a request that finds none is a dropped start.
    package var descriptorShare: Double
    /// Resident memory allowed; 0 means no limit.
    package var residentBytes: Int64
    /// How much of a second a thread of the generator or of the embedded origin may wait for a core before that second
    /// counts as bad; nil in results of versions that did not look.
    package var coreWaitMicroseconds: Int64?
    /// Share of the seconds with breaks, from 0 to 1, that may be bad by such a wait; nil as above.
    package var badBreakSecondsShare: Double?
    /// Why requests may leave late, as known before the run from the ports of this machine; nil where nothing is.
    package var portSearch: String?

    package static let standard = GeneratorBudget()

    package init(
        latenessP99Microseconds: Int64 = 250_000,
        loopDelayMicroseconds: Int64 = 250_000,
        handlingP99Microseconds: Int64? = 500_000,
        cpuShare: Double = 0.95,
        badSecondsShare: Double = 0.05,
        droppedStarts: Int = 0,
        descriptorShare: Double = 1,
        residentBytes: Int64 = 0,
        coreWaitMicroseconds: Int64? = 400_000,
        badBreakSecondsShare: Double? = 0.25,
        portSearch: String? = nil
    ) {
        self.latenessP99Microseconds = latenessP99Microseconds
        self.loopDelayMicroseconds = loopDelayMicroseconds
        self.handlingP99Microseconds = handlingP99Microseconds
        self.cpuShare = cpuShare
        self.badSecondsShare = badSecondsShare
        self.droppedStarts = droppedStarts
        self.descriptorShare = descriptorShare
        self.residentBytes = residentBytes
        self.coreWaitMicroseconds = coreWaitMicroseconds
        self.badBreakSecondsShare = badBreakSecondsShare
        self.portSearch = portSearch
    }

    /// Whole seconds that a share of them comes to, whatever somebody wrote into a file.
    func tolerated(_ share: Double, of seconds: Int) -> Int {
        let share = share.isFinite ? min(max(share, 0), 1) : 0
        return Int((share * Double(min(max(0, seconds), 1 << 48))).rounded(.down))
    }
}

/// Whether the generator kept within its budget.
package enum GeneratorVerdict: Equatable, Sendable {
    case withinBudget
    /// The run must not be held against the target; each reason names what limited it.
    case clientLimited(reasons: [String])

    package var reasons: [String] {
        switch self {
        case .withinBudget: []
        case .clientLimited(let reasons): reasons
        }
    }

    /// The same where a part of podswarm failed besides, which comes first.
    func limited(also reason: String?) -> GeneratorVerdict {
        reason.map { .clientLimited(reasons: [$0] + reasons) } ?? self
    }
}
