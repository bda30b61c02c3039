/// Limits of the generator's own delays, beyond which a run measures the generator and not the target.
///
/// The shape follows Hyperfoil's watchdogs (processor and jitter) and Nighthawk's share of planned requests sent.
package struct GeneratorBudget: Equatable, Codable, Sendable {
    /// Limit of lateness (planned to sent) at the 99th percentile of any request kind.
    package var latenessP99Microseconds: Int64 = 250_000
    /// Delay of a loop above which a second is bad.
    package var loopDelayMicroseconds: Int64 = 250_000
    /// Limit of handling (received to read) at the 99th percentile of any request kind; nil in results of earlier versions.
    package var handlingP99Microseconds: Int64? = 500_000
    /// Share of the loops' cores, from 0 to 1, above which a second is bad.
    package var cpuShare: Double = 0.95
    /// Allowed share of bad seconds, from 0 to 1.
    package var badSecondsShare: Double = 0.05
    package var droppedStarts: Int = 0
    /// Share of the descriptor limit, from 0 to 1, that may be open; a request without a descriptor is a dropped start.
    package var descriptorShare: Double = 1
    /// Limit of resident memory; 0 means no limit.
    package var residentBytes: Int64 = 0
    /// Wait for a core per second, of a thread of the generator or of the embedded origin, above which the second is bad; nil
    /// in results of earlier versions.
    package var coreWaitMicroseconds: Int64? = 400_000
    /// Allowed share, from 0 to 1, of seconds with breaks that are bad by such a wait; nil as above.
    package var badBreakSecondsShare: Double? = 0.25
    /// Reason why requests may leave late, known before the run from the ports of this machine.
    package var portSearch: String?

    package static let standard = GeneratorBudget()

    /// Number of seconds for a share, with invalid values of a file clamped.
    func tolerated(_ share: Double, of seconds: Int) -> Int {
        let share = share.isFinite ? min(max(share, 0), 1) : 0
        return Int((share * Double(min(max(0, seconds), 1 << 48))).rounded(.down))
    }
}

package enum GeneratorVerdict: Equatable, Sendable {
    case withinBudget
    /// The run must not fail the target; each reason names a limit.
    case clientLimited(reasons: [String])

    package var reasons: [String] {
        switch self {
        case .withinBudget: []
        case .clientLimited(let reasons): reasons
        }
    }

    /// Adds the failure of a part of podswarm as the first reason.
    func limited(also reason: String?) -> GeneratorVerdict {
        reason.map { .clientLimited(reasons: [$0] + reasons) } ?? self
    }
}
