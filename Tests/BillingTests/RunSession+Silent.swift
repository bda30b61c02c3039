import Foundation
import Profile
import Rehearsal
import Results
import TestSupport

extension RunSession {
    /// A run that prints nothing, listens to no signal, and keeps its result in a folder.
    static func silent(_ plan: LoadPlan, at profile: URL, _ clock: RunClock, in folder: TemporaryFolder) -> RunSession {
        var session = RunSession(
            plan: plan,
            profileFolder: profile.deletingLastPathComponent(),
            labels: [:],
            store: ResultStore(folder: folder.file("results")),
            output: RunOutput(quiet: true).ofPart()
        )
        session.clock = clock
        session.writesReport = false
        session.requests = RunRequests()
        return session
    }
}
