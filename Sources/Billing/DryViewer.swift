import Audience
import Audit
import Time
import Viewer

/// A viewer's place in a dry run: the machine, and what a shell keeps for it.
///
/// Confined to the dry run that made it.
final class DryViewer {
    var machine: ViewerMachine
    /// Deadlines by the raw value of the timer; zero means not set.
    var deadlines = [Instant](repeating: .zero, count: ViewerTimer.allCases.count)
    let record = ViewerRecord()

    init(_ machine: ViewerMachine) {
        self.machine = machine
    }
}
