package import CapacityResult
import RunResult
import Thresholds

/// What comparisons need of one search for a capacity.
package struct CapacityFigures: Equatable, Sendable {
    package var path: String
    package var podswarmVersion: String
    package var state: CapacityDocument.State
    package var asked: CapacityQuestion
    package var search: SearchDescription
    package var answer: CapacityAnswer

    package init(_ document: CapacityDocument, path: String) {
        self.path = path
        podswarmVersion = document.podswarmVersion
        state = document.state
        asked = document.asked
        search = document.search
        answer = document.answer
    }

    /// Why it says nothing certain about its target; nil where it does.
    var doubt: String? {
        switch state {
        case .running: return "it was never ended"
        case .interrupted: return "interrupted before its end"
        case .ended: break
        }
        switch answer.kind {
        case .found, .wide: return LogEstimate(answer) == nil ? "its answer has no interval" : nil
        case .atLeast: return "it says no more than where it stopped: \(answer.text)"
        case .below: return "nothing that it tried held"
        case .unknown: return "it found nothing"
        }
    }

    /// What must be the same for two capacities to be of the same thing.
    var rule: String {
        let hold = asked.hold.sorted().joined(separator: ", ")
        return "\(asked.quantity.rawValue) with \(hold) in \(MetricText.number(asked.sharePercent))% of breaks"
            + (asked.viewers.map { ", \($0) viewers" } ?? "")
    }
}
