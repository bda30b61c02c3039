package import Profile
package import Swarm

extension Preflight.Limits {
    package func check(_ plan: LoadPlan, stripe: AudienceStripe = .whole) throws(CommandFailure) {
        let problems = Preflight.problems(of: plan, limits: self, stripe: stripe)
        guard problems.isEmpty else {
            throw CommandFailure(.badInput, problems.map { "this machine: \($0)" }.joined(separator: "\n"))
        }
    }
}
