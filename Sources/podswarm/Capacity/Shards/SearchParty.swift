import CapacityResult
import Console
import Foundation
import LoadProfile
import Rehearsal
import Rendezvous
import RendezvousClient
import RunResult
import Time

/// The shards of a search, as one of them sees them.
struct SearchParty: Sendable {
    let party: ShardParty
    private let address: RendezvousAddress
    private let nameOfRun: @Sendable (Int) throws -> RendezvousAddress?

    var mark: ShardMark { party.mark }
    /// Who decides what is asked.
    var isFirst: Bool { mark.index == 0 }

    /// - Parameters:
    ///   - party: Which of them this is.
    ///   - meeting: Where they meet.
    /// - Throws: `CommandFailure` for a place that cannot be.
    init(_ party: ShardParty, at meeting: RendezvousOptions) throws {
        guard let address = try meeting.address(runID: party.mark.runID) else {
            throw CommandFailure(.badInput, "--shard: name the place where the shards meet with --rendezvous")
        }
        RendezvousOptions.warn(of: address)
        // The names of its runs are longer.
        _ = try meeting.address(runID: Self.runID(party.mark.runID, 9_999))
        self.party = party
        self.address = address
        // Nothing of a parsed command may go to another thread.
        let (place, tokenFile, authorities) = (
            meeting.rendezvous, meeting.rendezvousTokenFile, meeting.rendezvousCA
        )
        let search = party.mark.runID
        nameOfRun = { number in
            var meeting = RendezvousOptions()
            (meeting.rendezvous, meeting.rendezvousTokenFile, meeting.rendezvousCA) = (place, tokenFile, authorities)
            return try meeting.address(runID: Self.runID(search, number))
        }
    }

    private static func runID(_ search: String, _ number: Int) -> String { "\(search).\(number)" }

    /// Where results lie of a shard that is not the first.
    var folderName: String { "capacity-\(mark.runID)-shard-\(mark.index)-of-\(mark.count)" }

    /// Where its notes lie, to be closed.
    func open() async throws -> OpenRendezvous { try await RendezvousOptions.open(address) }

    /// Where the shards of a run meet, to be closed.
    ///
    /// - Parameter number: Of the run, from 1.
    /// - Returns: The place.
    /// - Throws: `CommandFailure` for a place that cannot be used.
    func open(run number: Int) async throws -> OpenRendezvous {
        guard let address = try nameOfRun(number) else {
            throw CommandFailure(.badInput, "--shard: name the place where the shards meet with --rendezvous")
        }
        return try await RendezvousOptions.open(address)
    }

    /// Makes this process's part in a run; the place is closed, however that ends.
    ///
    /// - Parameters:
    ///   - session: Of the run, not begun.
    ///   - number: Of the run, from 1.
    /// - Returns: What this part left.
    /// - Throws: `CommandFailure` where the run could not be made.
    func finish(_ session: RunSession, run number: Int) async throws -> RunSession.Finished {
        let place = try await open(run: number)
        var session = session
        session.shard = ShardEnrolment(
            mark: mark(ofRun: number),
            rendezvous: place,
            timing: party.timing,
            mergesWithin: nil
        )
        session.keepsJournal = true
        session.writesReport = false
        do {
            return try await session.finish()
        } catch {
            await place.close()
            throw error
        }
    }

    /// Which shard of a run this process is.
    func mark(ofRun number: Int) -> ShardMark {
        ShardMark(runID: Self.runID(mark.runID, number), index: mark.index, count: mark.count)
    }

    /// Agrees with all others on what is asked: what each was told, within what the least of their machines carries.
    ///
    /// - Parameters:
    ///   - setup: What this one was told.
    ///   - notes: Where they meet.
    ///   - requests: Whoever asks for the end ends the waiting.
    ///   - output: Told what is waited for.
    /// - Returns: The question for all.
    /// - Throws: `CommandFailure` where somebody is missing, or was told something else.
    func agree(
        on setup: SearchSetup,
        notes: SearchNotes,
        requests: RunRequests,
        output: RunOutput
    ) async throws -> CapacityQuestion {
        let own = SearchNote.Hello(
            instance: UUID().uuidString,
            profileDigest: setup.plan.digest,
            podswarmVersion: PodswarmVersion.current,
            question: setup.question
        )
        guard try await notes.put(own, as: SearchNote.hello(mark.index)) else {
            throw CommandFailure(
                .badInput,
                "shard \(mark.index) of search '\(mark.runID)' was started before: a run id is good for one search, which goes "
                    + "on from its file under another --run-id"
            )
        }
        output.note("Shard \(mark.index) of \(mark.count) of search \(mark.runID): waiting for the others.")
        if isFirst {
            let agreed = try await gather(own, notes, requests)
            _ = try await notes.put(agreed, as: SearchNote.agreed)
        }
        let patience = party.timing.gathering + .seconds(10)
        let agreed = try await notes.awaited(within: patience, requests: requests) {
            $0.note(SearchNote.Agreed.self, SearchNote.agreed)
        }
        guard let agreed else {
            throw CommandFailure(.badInput, "shard 0 of search '\(mark.runID)' did not come within \(patience.text)")
        }
        if let refusal = agreed.refusal { throw CommandFailure(.badInput, refusal) }
        return agreed.question
    }

    private func gather(
        _ own: SearchNote.Hello,
        _ notes: SearchNotes,
        _ requests: RunRequests
    ) async throws -> SearchNote.Agreed {
        var hellos: [Int: SearchNote.Hello] = [:]
        _ = try await notes.awaited(within: party.timing.gathering, requests: requests) { contents -> Bool? in
            for index in 0..<mark.count {
                hellos[index] = contents.note(SearchNote.Hello.self, SearchNote.hello(index))
            }
            return hellos.count == mark.count ? true : nil
        }
        var agreed = SearchNote.Agreed(question: own.question)
        let missing = (0..<mark.count).filter { hellos[$0] == nil }
        guard missing.isEmpty else {
            let who = missing.map(String.init).joined(separator: ", ")
            agreed.refusal = "of \(mark.count) shards these did not come: \(who); nothing was asked: start all again"
            return agreed
        }
        if let odd = (1..<mark.count).first(where: { hellos[$0].map { !own.isAlike($0) } ?? true }) {
            agreed.refusal =
                "shard \(odd) was started with another profile, other options or another version than shard 0"
            return agreed
        }
        // Where nobody gave a ceiling, it is that of the smallest machine.
        for (index, hello) in hellos.sorted(by: { $0.key < $1.key })
        where hello.question.ceiling < agreed.question.ceiling {
            agreed.question.ceiling = hello.question.ceiling
            agreed.question.ceilingReason = hello.question.ceilingReason.map { "shard \(index): \($0)" }
        }
        agreed.question.from = min(agreed.question.from, agreed.question.ceiling)
        return agreed
    }
}

extension SearchNote.Hello {
    /// Whether both were told the same, but for what follows from their machines.
    fileprivate func isAlike(_ other: SearchNote.Hello) -> Bool {
        var theirs = other.question
        theirs.ceiling = question.ceiling
        theirs.ceilingReason = question.ceilingReason
        theirs.from = question.from
        return theirs == question && other.profileDigest == profileDigest && other.podswarmVersion == podswarmVersion
    }
}
