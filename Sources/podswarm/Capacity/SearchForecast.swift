import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Rules
import Transport
import Values

/// Estimate, printed before a search, of its requests and its duration at most.
struct SearchForecast {
    private let setup: SearchSetup
    private let place: SearchPlace
    private let shards: Int

    init(_ setup: SearchSetup, _ place: SearchPlace, shards: Int) {
        self.setup = setup
        self.place = place
        self.shards = shards
    }

    private var first: (sizes: [Double], course: RunCourse)? {
        let search = CapacitySearch(CapacitySettings(setup.question, seed: setup.plan.seed))
        guard case .run(_, let sizes) = search.next() else { return nil }
        return (sizes, setup.searched.course(sizes))
    }

    var text: String {
        guard let first else { return "Nothing can be asked between these bounds." }
        let question = setup.question
        let quantity = question.quantity
        let largest = setup.searched.course([Double](repeating: question.ceiling, count: question.breaksPerRun))
        let later = largest.duration + .milliseconds(question.restMilliseconds)
        let whole = first.course.duration + later * (question.runsMaximum - 1)
        let atMost = min(whole, .seconds(question.timeMaximumSeconds))
        let looksFor =
            quantity == .viewers
            ? "the most viewers whose break holds"
            : "the least \(quantity.rawValue) with which a break of \(quantity.number(Double(question.viewers ?? 0))) viewers holds"
        return """
            Looks for \(looksFor): \(question.hold.joined(separator: ", ")), in \(MetricText.percent(question.sharePercent)) of breaks.
            \(beginning(first.sizes, first.course))
              Then at most \(TextLayout.counted(question.runsMaximum - 1, "run")) of \(question.breaksPerRun) breaks around what is known, each \
            \(later.text) at most with its rest\(sharing).
              No more than \(quantity.number(question.ceiling)) \(quantity.unit)\(ceilingReason), and \(atMost.text) in all.

            """
    }

    private func beginning(_ sizes: [Double], _ course: RunCourse) -> String {
        let (quantity, breaks) = (setup.question.quantity, TextLayout.counted(sizes.count, "break"))
        let (least, most) = (quantity.number(sizes.first ?? 0), quantity.number(sizes.last ?? 0))
        guard let watch = setup.searched.watch else {
            return "  First \(breaks), \(setup.searched.spacing.text) apart: \(least) to \(most) \(quantity.unit), "
                + "\(course.duration.text); ended when two in a row are missed."
        }
        let growth = quantity == .viewers ? ", then twice as many in each run until a break is missed" : ""
        return """
              The channel says when its breaks are: a run ends when enough of them were judged, or after waiting for \
            \(watch.text).
              First \(breaks) with \(least) \(quantity.unit)\(growth): \(course.duration.text) at most.
            """
    }

    private var sharing: String { shards == 1 ? "" : ", on \(shards) machines that begin each together" }

    private var ceilingReason: String { setup.question.ceilingReason.map { " (this machine: \($0))" } ?? "" }

    /// Prints the text and the bill of the first run.
    func show() async throws {
        RunOutput.tell(text, on: .output)
        guard let first else { return }
        let value = setup.question.quantity == .viewers ? nil : first.sizes.first
        let run = setup.searched.run(first.course, value: value)
        let now = place.clock.now
        let bill = try await BilledTarget(run, profileFolder: place.profileFolder).bill(startingAt: now)
        StandardStream.output.write(bill.text(StandardStream.output.rendering))
    }
}
