package import Results
import Rules

package struct CapacityFigures: Equatable, DatedResult, Sendable {
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

    package var about: SearchDescription { search }
    package var outcomeName: String { answer.kind.rawValue }
    package var identity: String { "\(search.profileDigest) \(search.id) \(search.startedAtMicroseconds)" }

    package var doubt: String? {
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

    package var rule: String {
        let hold = asked.hold.sorted().joined(separator: ", ")
        return "\(asked.quantity.rawValue) with \(hold) in \(MetricText.number(asked.sharePercent))% of breaks"
            + (asked.viewers.map { ", \($0) viewers" } ?? "")
    }
}
