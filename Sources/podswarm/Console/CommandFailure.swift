import LoadProfile
import Swarm

/// An end that is not a success, with its exit status and what to tell the person.
struct CommandFailure: Error {
    var exit: PodswarmExit
    var message: String

    init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}

extension Preflight.Limits {
    /// Refuses a plan that is too much for this machine.
    func check(_ plan: LoadPlan) throws(CommandFailure) {
        let problems = Preflight.problems(of: plan, limits: self)
        guard problems.isEmpty else {
            throw CommandFailure(.badInput, problems.map { "this machine: \($0)" }.joined(separator: "\n"))
        }
    }
}
