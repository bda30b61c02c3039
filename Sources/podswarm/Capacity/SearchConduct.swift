import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Rules
import Swarm
import Transport
import Values

struct Search {
    var setup: SearchSetup
    let profileFolder: URL
    let results: URL
    let labels: [String: String]
    let clock: RunClock
    let output: RunOutput
    let anew: Bool
    var writesReport: Bool

    var plan: LoadPlan { setup.plan }
    var folder: URL { ResultStore(folder: results).profileFolder(plan.name) }

    /// Shard 0 of a `meeting` decides each run and returns the document; closes the meeting's place.
    func run(
        with meeting: SearchMeeting?,
        requests: RunRequests
    ) async throws -> (exit: PodswarmExit, document: CapacityDocument?) {
        guard let meeting else { return try await conducted(nil, requests) }
        return try await meeting.place.closed { _ in
            var search = self
            search.setup.question = try await meeting.agree(on: setup, requests: requests, output: output)
            guard meeting.party.mark.index > 0 else { return try await search.conducted(meeting, requests) }
            search.writesReport = false
            return (try await FollowedRuns(search: search, meeting: meeting).follow(requests: requests), nil)
        }
    }

    private func conducted(
        _ meeting: SearchMeeting?,
        _ requests: RunRequests
    ) async throws -> (exit: PodswarmExit, document: CapacityDocument?) {
        var conduct = try SearchConduct(self, leading: meeting)
        let document = try await conduct.run(requests: requests)
        return (document.exit, document)
    }

    func session(
        _ run: SearchedRun,
        in folder: URL,
        _ searchID: String,
        clock: RunClock = .machine,
        requests: RunRequests
    ) -> RunSession {
        var session = RunSession(
            plan: run.plan,
            profileFolder: profileFolder,
            labels: labels.merging([RunLabels.capacity: searchID]) { $1 },
            store: ResultStore(folder: folder),
            output: output.ofPart()
        )
        session.clock = clock
        session.requests = requests
        session.tellsBill = false
        session.writesReport = writesReport
        return session
    }
}

struct MadeRun {
    /// With the merged result of all shards.
    var run: RunSession.Finished
    var breaks: [JudgedBreak]
    /// A reason why no further run can be made.
    var lastFor: String?
}

struct SearchConduct {
    private let search: Search
    /// Nil on one machine.
    private let meeting: SearchMeeting?
    private var file: SearchFile
    private var ledger: CapacityLedger
    /// Clock of the next run.
    private var clock: RunClock
    /// Runs of this process: a search that goes on has more.
    private var made = 0
    private var setup: SearchSetup { search.setup }
    private var output: RunOutput { search.output }

    /// Continues an interrupted search, unless the user wants it anew.
    init(_ search: Search, leading meeting: SearchMeeting?) throws {
        (self.search, self.meeting, clock) = (search, meeting, search.clock)
        var description = SearchDescription(startedAtMicroseconds: search.clock.now.microseconds)
        description.profile = search.plan.name
        description.profileDigest = "sha256:\(search.plan.digest)"
        (description.seed, description.labels) = (search.plan.seed, search.labels)
        description.target = RunTarget.name(of: search.plan)
        description.host = search.clock.host(sharedWithTarget: search.plan.target.isOnThisMachine)
        description.id = UTCText.compact(microseconds: description.startedAtMicroseconds)
        if let count = meeting?.party.mark.count, count > 1 { description.shards = count }
        let new = CapacityDocument(asked: search.setup.question, search: description)
        (file, ledger) = try SearchFile.open(in: search.folder, for: new, anew: search.anew)
    }

    /// Writes the document after each run.
    mutating func run(requests: RunRequests) async throws -> CapacityDocument {
        do {
            try await searchOn(requests)
        } catch {
            ledger.end(.interrupted, reason: "a run could not be made")
            try? file.write(ledger.document)
            await tellEnd((error as? CommandFailure)?.exit ?? .ownDefect)
            throw error
        }
        try file.write(ledger.document)
        await tellEnd(ledger.document.exit)
        finish()
        return ledger.document
    }

    private mutating func searchOn(_ requests: RunRequests) async throws {
        tellBeginning()
        while true {
            guard case .run(let kind, let sizes) = ledger.next else { break }
            let run = SearchedRun(setup, kind, sizes)
            guard hasTime(for: run.plan) else {
                ledger.end(.ended, reason: "the time is used up (--for)")
                break
            }
            if !ledger.document.runs.isEmpty {
                let rest = Duration.milliseconds(setup.question.restMilliseconds)
                await search.clock.rest(for: rest) { requests.end == nil }
            }
            guard requests.end == nil else { break }
            tellRun(run)
            let started = MonotonicClock.now()
            let made = try await perform(run, requests)
            let result = try taken(made, of: run, requests)
            ledger.add(result, seconds: search.clock.time(of: result.length, begunAt: started) / .seconds(1))
            if requests.end != nil { break }
            if let reason = made.lastFor {
                ledger.end(.interrupted, reason: reason)
                break
            }
            if result.breaks.isEmpty {
                ledger.end(.ended, reason: setup.nothingJudged)
                break
            }
            try file.write(ledger.document)
            output.note(ledger.document.answer.text)
        }
        if requests.end != nil {
            ledger.end(.interrupted, reason: "interrupted")
        } else if ledger.document.state == .running {
            ledger.end(.ended)
        }
    }

    /// Throws `CommandFailure` if the run could not be made.
    ///
    /// A request for the end ends the run, which clears only the end that it requested itself.
    private mutating func perform(_ run: SearchedRun, _ requests: RunRequests) async throws -> MadeRun {
        made += 1
        let (folder, id) = (file.folder, ledger.document.search.id)
        if let meeting {
            let led = LedRun(search: search, meeting: meeting, number: made, folder: folder, searchID: id)
            return try await led.perform(run, requests)
        }
        let watch = run.watch(setup, requests: requests, output: output)
        var session = search.session(run, in: folder, id, clock: clock, requests: requests)
        session.sinks = [watch]
        let finished = try await session.finish()
        let ended = WallTime(microseconds: finished.document.run.endedAtMicroseconds)
        clock = clock.going(on: ended + .milliseconds(setup.question.restMilliseconds))
        return MadeRun(run: finished, breaks: watch.breaks)
    }

    private func tellEnd(_ exit: PodswarmExit) async {
        guard let meeting else { return }
        let end = SearchNote.End(exitStatus: exit.rawValue, text: ledger.document.answer.text)
        do {
            _ = try await meeting.put(end, as: SearchNote.end)
        } catch {
            output.note("The other shards are not told that the search is over: \(error)")
        }
    }

    private func taken(_ made: MadeRun, of run: SearchedRun, _ requests: RunRequests) throws -> CapacityRunResult {
        requests.goOn()
        let document = made.run.document
        if document.verdict.exitCode == Int(PodswarmExit.ownDefect.rawValue) {
            let reasons = document.verdict.reasons.joined(separator: "; ")
            throw CommandFailure("a run of the search was invalid: \(reasons)", as: .ownDefect)
        }
        let place = file.relativePath(of: made.run.file)
        return run.result(document.run, breaks: made.breaks, file: place, endedBy: made.run.endedBy)
    }

    private func hasTime(for run: LoadPlan) -> Bool {
        let needed = Double(setup.question.restMilliseconds) / 1_000 + run.duration / .seconds(1)
        return ledger.document.search.spentSeconds + needed <= setup.question.timeMaximumSeconds
    }
}

// MARK: What is said

extension SearchConduct {
    private func tellBeginning() {
        guard output.showsProgress else { return }
        let document = ledger.document
        if document.runs.isEmpty {
            output.note(search.forecast(shards: document.search.shards ?? 1))
        } else {
            let runs = TextLayout.counted(document.runs.count, "run")
            output.note("Going on with the search of \(document.search.id), after \(runs). \(document.answer.text)")
        }
    }

    private func tellRun(_ run: SearchedRun) {
        let number = ledger.document.runs.count + 1
        let (quantity, sizes) = (setup.question.quantity, run.sizes)
        let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
        let range = least == most ? quantity.number(most) : "\(quantity.number(least)) to \(quantity.number(most))"
        output.note(
            "Run \(number) of at most \(setup.question.runsMaximum) (\(run.kind.rawValue)): \(TextLayout.counted(sizes.count, "break")), "
                + "\(range) \(quantity.unit), \(run.plan.duration.text) at most."
        )
    }

    private func finish() {
        let document = ledger.document
        let page = search.writesReport ? ResultPage.write(document.html, beside: file.url, output) : nil
        let places = ["Result: \(file.url.relativePath)"] + (page.map { ["Report: \($0.relativePath)"] } ?? [])
        output.summary(file: file.url) { rendering in
            let last = document.lastLine(rendering, exit: document.exit.rawValue)
            return document.text(rendering) + "\n" + places.joined(separator: "\n") + "\n\n\(last)\n"
        }
    }
}

extension CapacityRunResult {
    fileprivate var length: Duration { .microseconds(endedAtMicroseconds - startedAtMicroseconds) }
}

/// Rewritten after each run, with a folder of the runs' results beside it.
struct SearchFile {
    private static let prefix = "capacity-"

    let url: URL
    /// Keeps other processes from the search while this value exists.
    private let lock: FileHandle

    var folder: URL { url.deletingPathExtension() }

    /// Opens the newest unfinished search of the same kind, or begins one.
    static func open(
        in folder: URL,
        for new: CapacityDocument,
        anew: Bool
    ) throws(CommandFailure) -> (SearchFile, CapacityLedger) {
        // A search in virtual time would gain nothing by going on.
        let isVirtual = { (search: CapacityDocument) in search.search.host.name == RunClock.virtualHost }
        for url in anew || isVirtual(new) ? [] : files(in: folder) {
            guard let data = try? ResultFile.contents(of: url.path, followsLinks: false),
                let known = try? CapacityDocument(json: data), known.state != .ended, !isVirtual(known),
                known.isSameSearch(as: new), let file = SearchFile(url)
            else { continue }
            if let absurdity = known.absurdity {
                throw CommandFailure(
                    "\(url.relativePath) cannot be continued: \(absurdity); restore or remove it, or begin with --anew"
                )
            }
            var going = known
            going.state = .running
            // The new invocation determines the limits and the demand.
            going.asked = new.asked
            going.search.shards = new.search.shards
            return (file, CapacityLedger(going))
        }
        var new = new
        new.search.id = freeID(new.search.id, in: folder)
        let url = folder.appending(path: "\(prefix)\(new.search.id).json")
        guard let file = SearchFile(url) else {
            throw CommandFailure("--results: \(url.deletingPathExtension().path) cannot be made, or is in use")
        }
        return (file, CapacityLedger(new))
    }

    /// Searches in virtual time may begin at the same instant.
    private static func freeID(_ id: String, in folder: URL) -> String {
        var (free, number) = (id, 2)
        while FileManager.default.fileExists(atPath: folder.appending(path: "\(prefix)\(free).json").path) {
            (free, number) = ("\(id)-\(number)", number + 1)
        }
        return free
    }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted(by: >)
            .map { folder.appending(path: $0) }
    }

    private init?(_ url: URL) {
        let folder = url.deletingPathExtension()
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return nil
        }
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        lock = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        self.url = url
    }

    func write(_ document: CapacityDocument) throws(CommandFailure) {
        do {
            try document.json().write(to: url, options: .atomic)
        } catch {
            throw CommandFailure(
                "\(url.relativePath) cannot be written: \((error as NSError).localizedDescription)",
                as: .notWritten
            )
        }
    }

    func relativePath(of result: URL) -> String {
        let base = url.deletingLastPathComponent().path + "/"
        return result.path.hasPrefix(base) ? String(result.path.dropFirst(base.count)) : result.path
    }
}

extension CapacityDocument {
    fileprivate func isSameSearch(as other: CapacityDocument) -> Bool {
        // A continued search may get more time or more runs.
        var own = asked
        (own.timeMaximumSeconds, own.runsMaximum) = (other.asked.timeMaximumSeconds, other.asked.runsMaximum)
        if own.watchMaximumSeconds != nil, let watch = other.asked.watchMaximumSeconds {
            own.watchMaximumSeconds = watch
        }
        own.atLeast = other.asked.atLeast
        // With a higher ceiling the results so far stay true.
        guard other.asked.ceiling >= own.ceiling else { return false }
        (own.from, own.floor, own.ceiling, own.ceilingReason) =
            (other.asked.from, other.asked.floor, other.asked.ceiling, other.asked.ceilingReason)
        return own == other.asked && search.profileDigest == other.search.profileDigest
            && search.seed == other.search.seed && search.labels == other.search.labels
            && search.target == other.search.target
    }
}
