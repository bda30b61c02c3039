import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Rules
import Transport
import Values

/// `run` has the merged result of all shards; `lastFor` says why no further run can be made.
typealias MadeRun = (run: RunSession.Finished, breaks: [JudgedBreak], lastFor: String?)

struct RunsOfSearch {
    let search: Search
    let folder: URL
    let searchID: String

    var searched: SearchedPlan { search.searched }
    var output: RunOutput { search.output }

    func session(_ run: SearchedRun, clock: RunClock = .machine, requests: RunRequests) -> RunSession {
        var session = RunSession(
            plan: run.plan,
            profileFolder: search.profileFolder,
            labels: search.labels.merging([RunLabels.capacity: searchID]) { $1 },
            store: ResultStore(folder: folder),
            output: output.ofPart()
        )
        session.clock = clock
        session.requests = requests
        session.tellsBill = false
        session.writesReport = search.writesReport
        return session
    }
}

struct SearchedRun {
    let kind: CapacityRunResult.Kind
    let sizes: [Double]
    let course: RunCourse
    let plan: LoadPlan

    /// `sizes` has the searched quantity for each break.
    init(_ searched: SearchedPlan, _ kind: CapacityRunResult.Kind, _ sizes: [Double]) {
        (self.kind, self.sizes) = (kind, sizes)
        course = searched.course(sizes)
        plan = searched.run(course, value: searched.isOfViewers ? nil : sizes.first)
    }

    /// May end the run by `requests`; prints each break to `output`.
    func watch(_ searched: SearchedPlan, shards: Int = 1, requests: RunRequests, output: RunOutput) -> CapacityWatch {
        CapacityWatch(
            rule: searched.rule,
            course: course,
            timing: searched.timing(of: plan),
            countsSilent: searched.countsSilent,
            shards: shards,
            endsAfterTwoMissed: kind == .escalation || searched.watch != nil && searched.isOfViewers,
            requests: requests
        ) { output.note($0.line) }
    }

    /// Includes breaks that the target lost; `file` is relative to the search's file.
    func result(_ run: RunDescription, breaks: [JudgedBreak], file: String, endedBy: String?) -> CapacityRunResult {
        let (start, end) = (run.startedAtMicroseconds, run.endedAtMicroseconds)
        var result = CapacityRunResult(kind, startedAtMicroseconds: start, endedAtMicroseconds: end)
        (result.sizes, result.result, result.endedBy) = (sizes, file, endedBy)
        result.breaks =
            course.withLost(breaks, start: start, end: end, grace: plan.breaks.grace, abortedBy: run.abortedBy)
        return result
    }
}

extension JudgedBreak {
    fileprivate var line: String {
        let share = onTimePercent.map { " (\(MetricText.percent($0)) on time)" } ?? ""
        let why = outcome == .held ? "" : ": " + (outcome == .censored ? limits : broken).joined(separator: "; ")
        return "  \(GroupedDigits.counted(planned, "viewer")): \(outcome.rawValue)\(share)\(why)"
    }
}

extension Search {
    private var firstRun: SearchedRun? {
        let document = CapacityDocument(asked: searched.question, search: .init(startedAtMicroseconds: 0))
        guard case .run(let kind, let sizes) = document.next else { return nil }
        return SearchedRun(searched, kind, sizes)
    }

    /// Requests and duration at most.
    func forecast(shards: Int) -> String {
        guard let firstRun else { return "Nothing can be asked between these bounds." }
        let (question, quantity) = (searched.question, searched.question.quantity)
        let number = { (value: Double) in GroupedDigits.text(rounding: value) }
        let largest = searched.course([Double](repeating: question.ceiling, count: question.breaksPerRun))
        let later = largest.duration + searched.rest
        let whole = firstRun.course.duration + later * (question.runsMaximum - 1)
        let atMost = min(whole, .seconds(question.timeMaximumSeconds))
        let audience = TextLayout.counted(question.viewers ?? 0, "viewer")
        let looksFor =
            quantity == .viewers
            ? "the most viewers whose break holds"
            : "the least \(quantity.rawValue) with which a break of \(audience) holds"
        let sharing = shards == 1 ? "" : ", on \(shards) machines that begin each together"
        let reason = question.ceilingReason.map { " (this machine: \($0))" } ?? ""
        return """
            Looks for \(looksFor): \(question.hold.joined(separator: ", ")), in \(MetricText.percent(question.sharePercent)) of breaks.
            \(beginning(firstRun))
              Then at most \(TextLayout.counted(question.runsMaximum - 1, "run")) of \(question.breaksPerRun) breaks around what is known, each \
            \(later.text) at most with its rest\(sharing).
              No more than \(number(question.ceiling)) \(quantity.unit)\(reason), and \(atMost.text) in all.

            """
    }

    private func beginning(_ run: SearchedRun) -> String {
        let (quantity, breaks) = (searched.question.quantity, TextLayout.counted(run.sizes.count, "break"))
        let ends = [run.sizes.first ?? 0, run.sizes.last ?? 0].map { GroupedDigits.text(rounding: $0) }
        guard let watch = searched.watch else {
            return
                "  First \(breaks), \(searched.spacing.text) apart: \(ends[0]) to \(ends[1]) \(quantity.unit), "
                + "\(run.course.duration.text); ended when two in a row are missed."
        }
        let growth = quantity == .viewers ? ", then twice as many in each run until a break is missed" : ""
        return """
              The channel says when its breaks are: a run ends when enough of them were judged, or after waiting for \
            \(watch.text).
              First \(breaks) with \(ends[0]) \(quantity.unit)\(growth): \(run.course.duration.text) at most.
            """
    }

    /// With the bill of the first run.
    func showForecast(shards: Int) async throws {
        RunOutput.tell(forecast(shards: shards), on: .output)
        guard let firstRun else { return }
        let target = BilledTarget(firstRun.plan, profileFolder: profileFolder)
        let bill = try await target.bill(startingAt: clock.now)
        StandardStream.output.write(bill.text(StandardStream.output.rendering))
    }
}

/// A run that the shards make together.
struct SharedRun {
    let runs: RunsOfSearch
    let meeting: SearchMeeting
    /// From 1.
    let number: Int
    private var party: ShardParty { meeting.party }

    /// As shard 0, which also judges the breaks of all shards and writes the merged result.
    func lead(_ run: SearchedRun, _ requests: RunRequests) async throws -> MadeRun {
        let step = SearchNote.Step(kind: run.kind, sizes: run.sizes)
        guard try await meeting.put(step, as: SearchNote.step(number)) else {
            throw CommandFailure("another process leads search '\(party.mark.runID)': take another --run-id")
        }
        let watch = run.watch(runs.searched, shards: party.mark.count, requests: requests, output: runs.output)
        let following = Task { [self] in try await follow(watch, requests) }
        let telling = Task { [self] in await tellStop(requests) }
        do {
            let own = try await meeting.finish(runs.session(run, requests: requests), run: number)
            let followed = try await following.value
            telling.cancel()
            await telling.value
            return try made(own, followed, watch)
        } catch {
            // Breaks are not judged any more.
            requests.stop(.stopped("shard 0 could not go on"))
            await telling.value
            following.cancel()
            _ = await following.result
            throw error
        }
    }

    private func follow(_ watch: CapacityWatch, _ requests: RunRequests) async throws -> ShardWatch.Followed {
        try await meeting.open(run: number).closed { place in
            var all = ShardWatch(meeting.mark(ofRun: number).runID, at: place, output: runs.output.ofPart())
            (all.beginsWithin, all.silence) = (party.timing.gathering + party.timing.lead, party.silence)
            (all.requests, all.showsProgress) = (requests, false)
            all.judge = watch
            do {
                return try await all.follow()
            } catch {
                requests.stop(.stopped("what the shards tell cannot be followed"))
                throw error
            }
        }
    }

    private func tellStop(_ requests: RunRequests) async {
        while requests.end == nil { do { try await Task.sleep(for: .milliseconds(100)) } catch { return } }
        let reason = if case .stopped(let why) = requests.end { why } else { "shard 0 was interrupted" }
        do {
            _ = try await meeting.put(SearchNote.Stop(reason: reason), as: SearchNote.stop(number))
        } catch {
            runs.output.note("The other shards are not told that the run is over: \(error)")
        }
    }

    private func made(
        _ own: RunSession.Finished,
        _ followed: ShardWatch.Followed,
        _ watch: CapacityWatch
    ) throws -> MadeRun {
        let runID = meeting.mark(ofRun: number).runID
        let merge = ShardMerge(writesReport: runs.search.writesReport, to: runs.output.ofPart())
        var run = own
        run.document = try merge.document(of: followed.sources, runID: runID, expected: followed.count).document
        run.file = try merge.write(run.document, runID: runID, to: runs.folder).file
        return (run, watch.breaks, followed.endedEarly.first)
    }

    /// As another shard.
    func join(_ run: SearchedRun, _ requests: RunRequests) async throws {
        runs.output.note(
            "Run \(number) (\(run.kind.rawValue)): \(TextLayout.counted(run.sizes.count, "break")), \(run.plan.duration.text) at most."
        )
        let listening = Task { await hearStop(requests) }
        var failure: (any Error)?
        do { _ = try await meeting.finish(runs.session(run, requests: requests), run: number) } catch {
            failure = error
        }
        listening.cancel()
        let isAlone = await listening.value
        requests.goOn()
        // Shard 0 stopped the run before it began here; its next note says why.
        let isStopped = (failure as? CommandFailure)?.exit == .interrupted && requests.end == nil && !isAlone
        if let failure, !isStopped { throw failure }
        guard !isAlone else {
            throw CommandFailure(
                "shard 0 has said nothing for \(party.silence.text): what the search knows is in its file",
                as: .notDecidable
            )
        }
    }

    /// Ends the run if shard 0 stops it or falls silent; returns true if shard 0 falls silent.
    private func hearStop(_ requests: RunRequests) async -> Bool {
        let heard = try? await meeting.open(run: number).closed { place in
            var last: String?
            // Nil before the first entry; while the place does not answer, no shard can be heard.
            var heardAt: ContinuousClock.Instant?
            while !Task.isCancelled {
                if let contents = try? await meeting.place.contents(of: SearchNote.group) {
                    let stop = contents.note(SearchNote.Stop.self, SearchNote.stop(number))?.reason
                    let isOver = contents[SearchNote.end] != nil
                    if let reason = stop ?? (isOver ? "the search is over" : nil) {
                        requests.stop(.stopped(reason))
                        return false
                    }
                }
                let listing = try? await place.list(JournalStream.group(ofShard: 0), after: last)
                let now = ContinuousClock.now
                if listing == nil { heardAt = heardAt.map { _ in now } }
                if let name = listing?.entries.last?.name { (last, heardAt) = (name, now) }
                if let heardAt, now - heardAt > party.silence {
                    requests.stop(.stopped("shard 0 says nothing any more"))
                    return true
                }
                try? await Task.sleep(for: .milliseconds(250))
            }
            return false
        }
        return heard ?? false
    }
}

extension RunsOfSearch {
    private enum News {
        case step(SearchNote.Step)
        case end(SearchNote.End)
    }

    /// Makes each run that shard 0 decides until it ends the search; a request for the end ends the whole search.
    ///
    /// Throws `CommandFailure` if a run could not be made or shard 0 falls silent.
    func follow(_ meeting: SearchMeeting, requests: RunRequests) async throws -> PodswarmExit {
        let party = meeting.party
        let clock = ContinuousClock()
        // On all shards.
        var runEnds = clock.now
        var number = 1
        while true {
            let silence = party.timing.gathering + party.silence + searched.rest
            let patience = silence + max(runEnds - clock.now, .zero)
            let news = try await meeting.awaited(within: patience, requests: requests) { Self.news($0, number) }
            switch news {
            case nil:
                throw CommandFailure(
                    "shard 0 has named no further run within \(patience.text): what the search knows is in its file",
                    as: .notDecidable
                )
            case .end(let end):
                output.note("\(end.text) The search is over.")
                return PodswarmExit(rawValue: end.exitStatus) ?? .ownDefect
            case .step(let step):
                let run = SearchedRun(searched, step.kind, step.sizes)
                runEnds = clock.now + party.timing.gathering + party.timing.lead + run.plan.duration
                try await SharedRun(runs: self, meeting: meeting, number: number).join(run, requests)
            }
            guard requests.end == nil else { return .interrupted }
            number += 1
        }
    }

    private static func news(_ contents: [String: Data], _ number: Int) -> News? {
        contents.note(SearchNote.Step.self, SearchNote.step(number)).map(News.step)
            ?? contents.note(SearchNote.End.self, SearchNote.end).map(News.end)
    }
}
