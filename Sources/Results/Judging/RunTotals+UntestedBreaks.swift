import Recording
import Rules

extension RunTotals {
    /// Reason why a run of a profile with breaks tested none; nil if a viewer was due at one.
    package var untestedBreaks: String? {
        guard breaks.allSatisfy({ $0.due == 0 }) else { return nil }
        return "no break was tested: \(causeOfUntestedBreaks); breaks: none in the profile tests playlists alone"
    }

    private var causeOfUntestedBreaks: String {
        if count(of: .joined) == 0 { return "no viewer joined" }
        if !breaks.isEmpty { return "no viewer was due at any of \(breaks.count) break\(breaks.count == 1 ? "" : "s")" }
        if !warmUpBreaks.isEmpty { return "every break began in the warm-up" }
        return "no break came in sight"
    }
}
