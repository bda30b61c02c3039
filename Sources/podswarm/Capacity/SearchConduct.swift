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
    var searched: SearchedPlan
    let profileFolder: URL
    let results: URL
    let labels: [String: String]
    let clock: RunClock
    let output: RunOutput
    let anew: Bool
    /// Second place of the document.
    let json: String?
    var writesReport: Bool

    var plan: LoadPlan { searched.plan }
    var folder: URL { ResultStore(folder: results).profileFolder(plan.name) }

    /// Shard 0 of a `party` decides each run.
    func run(with party: ShardParty?, at meeting: RendezvousOptions, _ requests: RunRequests) async throws
        -> PodswarmExit
    {
        guard let party else { return try await conduct(leading: nil, requests) }
        let address = try SearchMeeting.address(of: party, meeting)
        return try await address.open().closed { place in
            let meeting = SearchMeeting(party: party, address: address, place: place)
            var search = self
            search.searched.question = try await meeting.agree(on: searched, requests: requests, output: output)
            let mark = party.mark
            guard mark.index > 0 else { return try await search.conduct(leading: meeting, requests) }
            search.writesReport = false
            let name = "capacity-\(mark.runID)-shard-\(mark.index)-of-\(mark.count)"
            let runs = RunsOfSearch(search: search, folder: folder.appending(path: name), searchID: mark.runID)
            return try await runs.follow(meeting, requests: requests)
        }
    }

    private func conduct(leading meeting: SearchMeeting?, _ requests: RunRequests) async throws -> PodswarmExit {
        var conduct = try SearchConduct(self, leading: meeting)
        return try await conduct.run(requests: requests)
    }
}

struct SearchConduct {
    private let search: Search
    /// Nil on one machine.
    private let meeting: SearchMeeting?
    private var file: SearchFile
    private var document: CapacityDocument
    /// Clock of the next run.
    private var clock: RunClock
    /// Runs of this process: a search that goes on has more.
    private var made = 0
    private var searched: SearchedPlan { search.searched }
    private var output: RunOutput { search.output }
    private var runs: RunsOfSearch { RunsOfSearch(search: search, folder: file.folder, searchID: document.search.id) }

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
        if let count = meeting?.mark.count, count > 1 { description.shards = count }
        let new = CapacityDocument(asked: search.searched.question, search: description)
        (file, document) = try SearchFile.open(in: search.folder, for: new, anew: search.anew)
    }

    /// Writes the document after each run.
    mutating func run(requests: RunRequests) async throws -> PodswarmExit {
        do {
            try await searchOn(requests)
        } catch {
            document.end(.interrupted, reason: "a run could not be made")
            try? file.write(document)
            await tellEnd((error as? CommandFailure)?.exit ?? .ownDefect)
            throw error
        }
        try file.write(document)
        await tellEnd(document.exit)
        finish()
        try OutputPlace.write(json: document.json(), to: search.json)
        return document.exit
    }

    private mutating func searchOn(_ requests: RunRequests) async throws {
        tellBeginning()
        var step = document.next
        while case .run(let kind, let sizes) = step {
            let run = SearchedRun(searched, kind, sizes)
            guard hasTime(for: run.plan) else {
                document.end(.ended, reason: "the time is used up (--for)")
                break
            }
            if !document.runs.isEmpty { await search.clock.rest(for: searched.rest) { requests.end == nil } }
            guard requests.end == nil else { break }
            tellRun(run)
            let started = MonotonicClock.now()
            let made = try await perform(run, requests)
            let result = try taken(made, of: run, requests)
            step = document.add(result, seconds: search.clock.time(of: result.length, begunAt: started) / .seconds(1))
            if requests.end != nil { break }
            if let reason = made.lastFor {
                document.end(.interrupted, reason: reason)
                break
            }
            if result.breaks.isEmpty {
                document.end(.ended, reason: searched.nothingJudged)
                break
            }
            try file.write(document)
            output.note(document.answer.text)
        }
        if requests.end != nil {
            document.end(.interrupted, reason: "interrupted")
        } else if document.state == .running {
            document.end(.ended)
        }
    }

    /// Throws `CommandFailure` if the run could not be made.
    ///
    /// A request for the end ends the run, which clears only the end that it requested itself.
    private mutating func perform(_ run: SearchedRun, _ requests: RunRequests) async throws -> MadeRun {
        made += 1
        if let meeting { return try await SharedRun(runs: runs, meeting: meeting, number: made).lead(run, requests) }
        let watch = run.watch(searched, requests: requests, output: output)
        var session = runs.session(run, clock: clock, requests: requests)
        session.sinks = [watch]
        let finished = try await session.finish()
        let ended = WallTime(microseconds: finished.document.run.endedAtMicroseconds)
        clock = clock.going(on: ended + searched.rest)
        return (finished, watch.breaks, nil)
    }

    private func tellEnd(_ exit: PodswarmExit) async {
        guard let meeting else { return }
        let end = SearchNote.End(exitStatus: exit.rawValue, text: document.answer.text)
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
        let needed = Double(searched.question.restMilliseconds) / 1_000 + run.duration / .seconds(1)
        return document.search.spentSeconds + needed <= searched.question.timeMaximumSeconds
    }
}

extension SearchConduct {
    private func tellBeginning() {
        guard output.showsProgress else { return }
        if document.runs.isEmpty {
            output.note(search.forecast(shards: document.search.shards ?? 1))
        } else {
            let runs = TextLayout.counted(document.runs.count, "run")
            output.note("Going on with the search of \(document.search.id), after \(runs). \(document.answer.text)")
        }
    }

    private func tellRun(_ run: SearchedRun) {
        let number = document.runs.count + 1
        let (unit, sizes) = (searched.question.quantity.unit, run.sizes)
        let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
        let ends = least == most ? [most] : [least, most]
        let range = ends.map { GroupedDigits.text(rounding: $0) }.joined(separator: " to ")
        output.note(
            "Run \(number) of at most \(searched.question.runsMaximum) (\(run.kind.rawValue)): \(TextLayout.counted(sizes.count, "break")), "
                + "\(range) \(unit), \(run.plan.duration.text) at most."
        )
    }

    private func finish() {
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
    ) throws(CommandFailure) -> (SearchFile, CapacityDocument) {
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
            going.conclude()
            return (file, going)
        }
        var new = new
        new.search.id = freeID(new.search.id, in: folder)
        let url = folder.appending(path: "\(prefix)\(new.search.id).json")
        guard let file = SearchFile(url) else {
            throw CommandFailure("--results: \(url.deletingPathExtension().path) cannot be made, or is in use")
        }
        return (file, new)
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
