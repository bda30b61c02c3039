import Comparison
import Foundation
import Profile
import Rehearsal
import Results
import Values

extension SearchNote.Hello {
    /// Settings that depend on the machine may differ.
    fileprivate func isAlike(_ other: SearchNote.Hello) -> Bool {
        var theirs = other.question
        theirs.ceiling = question.ceiling
        theirs.ceilingReason = question.ceilingReason
        theirs.from = question.from
        return theirs == question && other.profileDigest == profileDigest && other.podswarmVersion == podswarmVersion
    }
}

/// Shard 0 decides each run.
///
/// A run has its own run id, so that all shards begin it at one instant or none does.
enum SearchNote {
    /// The ceiling is what the shard can carry of the whole audience.
    struct Hello: PlacedNote {
        var instance: String
        var profileDigest: String
        var podswarmVersion: String
        var question: CapacityQuestion
    }

    struct Agreed: PlacedNote {
        var question: CapacityQuestion
        /// With the fix; nil if there is a search.
        var refusal: String?
    }

    struct Step: PlacedNote {
        var kind: CapacityRunResult.Kind
        var sizes: [Double]
    }

    /// Enough was seen of the run.
    struct Stop: PlacedNote {
        var reason: String
    }

    struct End: PlacedNote {
        var exitStatus: Int32
        var text: String
    }

    static let group = "search"
    static let agreed = "agreed"
    static let end = "end"

    static func hello(_ index: Int) -> String { "hello-\(index)" }
    static func step(_ number: Int) -> String { "step-\(number)" }
    static func stop(_ number: Int) -> String { "stop-\(number)" }
}

/// Meeting point of the shards of a search; each run has its own.
struct SearchMeeting: Sendable {
    private static let period = Duration.milliseconds(250)
    private static let patience = Duration.seconds(30)

    let party: ShardParty
    let address: RendezvousAddress
    let place: any RendezvousPlace

    /// Checks the id of the last run, which is longer than that of the search.
    static func address(of party: ShardParty, _ meeting: RendezvousOptions) throws -> RendezvousAddress {
        let address = try meeting.address(runID: party.mark.runID, for: "--shard")
        try RendezvousOptions.check(runID: runID(party.mark.runID, 9_999))
        return address
    }

    private static func runID(_ search: String, _ number: Int) -> String { "\(search).\(number)" }

    var mark: ShardMark { party.mark }

    /// Run numbers begin at 1.
    func mark(ofRun number: Int) -> ShardMark {
        ShardMark(runID: Self.runID(mark.runID, number), index: mark.index, count: mark.count)
    }

    /// The caller closes the place.
    func open(run number: Int) async throws -> any RendezvousPlace {
        try await address.open(run: mark(ofRun: number).runID)
    }

    /// Closes the run's place in any case.
    func finish(_ session: RunSession, run number: Int) async throws -> RunSession.Finished {
        let place = try await open(run: number)
        var session = session
        session.shard = ShardEnrolment(mark(ofRun: number), at: place, timing: party.timing)
        session.keepsJournal = true
        session.writesReport = false
        do {
            return try await session.finish()
        } catch {
            await place.shutDown()
            throw error
        }
    }

    /// Retries if the place does not answer, then throws `CommandFailure`.
    ///
    /// Returns false if another process has put a different note under this name.
    func put(_ note: some PlacedNote, as name: String) async throws -> Bool {
        let content = try note.placed()
        return try await retrying(for: Self.patience) {
            try await place.put(content, in: SearchNote.group, as: name)
        } ?? false
    }

    /// Returns nil after `patience`; throws `CommandFailure` for an interruption, and if the place does not answer.
    func awaited<Found>(
        within patience: Duration,
        requests: RunRequests,
        _ find: ([String: Data]) -> Found?
    ) async throws -> Found? {
        try await retrying(for: patience) {
            if requests.end == .interrupted { throw CommandFailure("interrupted", as: .interrupted) }
            return find(try await place.contents(of: SearchNote.group))
        }
    }

    private func retrying<Found>(for patience: Duration, _ look: () async throws -> Found?) async throws -> Found? {
        let giveUp = ContinuousClock.now + patience
        while true {
            do {
                if let found = try await look() { return found }
                guard .now < giveUp else { return nil }
            } catch let error as RendezvousError {
                guard .now < giveUp, !error.isLasting else {
                    throw CommandFailure("the rendezvous does not answer: \(error)", as: .unreachable)
                }
            }
            try? await Task.sleep(for: Self.period)
        }
    }

    /// Agrees on a question within what the weakest machine can carry.
    ///
    /// Throws `CommandFailure` if a shard is missing or was started with other options.
    func agree(on searched: SearchedPlan, requests: RunRequests, output: RunOutput) async throws -> CapacityQuestion {
        let own = SearchNote.Hello(
            instance: UUID().uuidString,
            profileDigest: searched.plan.digest,
            podswarmVersion: PodswarmVersion.current,
            question: searched.question
        )
        guard try await put(own, as: SearchNote.hello(mark.index)) else {
            throw CommandFailure(
                "shard \(mark.index) of search '\(mark.runID)' was started before: a run id is good for one search, which goes "
                    + "on from its file under another --run-id"
            )
        }
        output.note("Shard \(mark.index) of \(mark.count) of search \(mark.runID): waiting for the others.")
        if mark.index == 0 { _ = try await put(gather(own, requests), as: SearchNote.agreed) }
        let patience = party.timing.gathering + .seconds(10)
        let agreed = try await awaited(within: patience, requests: requests) {
            $0.note(SearchNote.Agreed.self, SearchNote.agreed)
        }
        guard let agreed else {
            throw CommandFailure("shard 0 of search '\(mark.runID)' did not come within \(patience.text)")
        }
        if let refusal = agreed.refusal { throw CommandFailure(refusal) }
        return agreed.question
    }

    private func gather(_ own: SearchNote.Hello, _ requests: RunRequests) async throws -> SearchNote.Agreed {
        let count = mark.count
        var hellos: [Int: SearchNote.Hello] = [:]
        _ = try await awaited(within: party.timing.gathering, requests: requests) { contents -> Bool? in
            for index in 0..<count { hellos[index] = contents.note(SearchNote.Hello.self, SearchNote.hello(index)) }
            return hellos.count == count ? true : nil
        }
        var agreed = SearchNote.Agreed(question: own.question)
        let missing = (0..<count).filter { hellos[$0] == nil }
        guard missing.isEmpty else {
            let who = missing.map(String.init).joined(separator: ", ")
            agreed.refusal = "of \(count) shards these did not come: \(who); nothing was asked: start all again"
            return agreed
        }
        if let odd = (1..<count).first(where: { hellos[$0].map { !own.isAlike($0) } ?? true }) {
            agreed.refusal =
                "shard \(odd) was started with another profile, other options or another version than shard 0"
            return agreed
        }
        for (index, hello) in hellos.sorted(by: { $0.key < $1.key })
        where hello.question.ceiling < agreed.question.ceiling {
            agreed.question.ceiling = hello.question.ceiling
            agreed.question.ceilingReason = hello.question.ceilingReason.map { "shard \(index): \($0)" }
        }
        agreed.question.from = min(agreed.question.from, agreed.question.ceiling)
        return agreed
    }
}

extension [String: Data] {
    func note<Note: PlacedNote>(_ type: Note.Type, _ name: String) -> Note? { Note(placed: self[name]) }
}
