import AdServing
import ArgumentParser
import Foundation
import HLS
import Profile
import Rehearsal
import Report
import Results
import Rules
import Swarm
import Synchronization
import Transport
import Values
import Viewer

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("check")

    /// Its viewers and duration are only checked: `patience` limits a check.
    @OptionGroup var profile: ProfileOptions

    @Option(
        "duration",
        "Wait at most this long for a break and its ads. (default: as long as one break of the profile needs; 150s where it does not say when breaks come, 20s without breaks)"
    )
    var patience: String?

    @Flag(help: "Show each request and its answer: headers, times and the start of playlists, without secrets.")
    var exchange = false

    @Option(
        "file",
        "Write the first 1,000 exchanges as HAR 1.2; - is standard output, and the words go to standard error."
    )
    var har: String?

    @Flag(help: "Do not verify TLS certificates.")
    var insecure = false

    @OptionGroup(title: "Virtual time") var virtual: VirtualOptions

    func run() async throws {
        let insecure = self.insecure ? ["connection.insecure=true"] : []
        let given = try profile.plan(overrides: profile.overrides + insecure)
        if let har { try OutputPlace.checkFolder(of: har, for: "--har \(har)") }
        let patience = self.patience ?? Self.patience(neededBy: given.breaks)
        let plan = Self.alone(given, patience: try Duration(patience, of: "--patience", in: Self.patiences))
        let clock = try virtual.clock(of: plan)
        try clock.limits.check(plan)
        let target = try RunTarget(plan, profileFolder: profile.folder, clock: clock)
        defer { target.stop() }
        say("Target: \(target.name)")
        for note in plan.notes { say(note) }
        await tellBill(of: plan)
        try await target.checkReachable()
        let calls = try await CalledRun(plan, profileFolder: profile.folder, shard: nil, clock: clock)
        let breaks = plan.breaks.areNone ? "The profile has no breaks" : "It ends after the first break"
        say("\(breaks): this takes \(plan.breaks.areNone ? "" : "at most ")\(patience).")
        let (totals, exchanges) = try await calls.closed { try await walk(target, calls) }
        say("")
        let verdict = judge(totals, plan, patience)
        if let har { try write(exchanges, to: har) }
        throw verdict.code
    }

    private static let patiences: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)
    private static let usualPatience = Duration.seconds(150)
    private static let patienceWithoutBreaks = Duration.seconds(20)
    /// For the start, and for playheads behind the live edge.
    private static let margin = Duration.seconds(30)

    /// A viewer that joins during a break waits for the next one.
    private static func patience(neededBy breaks: BreakPlan) -> String {
        let intervals = breaks.source.each.compactMap { source in
            if case .every(let interval, _) = source { interval } else { nil }
        }
        let needed = intervals.min().map { $0 + breaks.podDuration + breaks.podDuration + breaks.grace + margin }
        let patience = breaks.areNone ? patienceWithoutBreaks : needed ?? usualPatience
        return "\(min(patience, patiences.upperBound).components.seconds)s"
    }

    /// One viewer requests its pod twice.
    private static func alone(_ plan: LoadPlan, patience: Duration) -> LoadPlan {
        var plan = plan
        plan.audience.viewers = 1
        plan.audience.ramp = .zero
        plan.audience.curve = nil
        plan.audience.churnPerMinute = 0
        plan.audience.pictureInPicture.share = 0
        plan.pods.repeatShare = 1
        plan.generator.loops = 1
        plan.duration = patience
        return plan
    }

    private func walk(_ target: RunTarget, _ calls: CalledRun) async throws -> (RunTotals, ExchangeLedger) {
        let timebase = target.timebase(startingIn: .milliseconds(50))
        let narrator = CheckNarrator(timebase, showsExchanges: exchange, keepsExchanges: har != nil) {
            [stream] in RunOutput.tell($0, on: stream)
        }
        let swarm = try await SwarmRun(
            target.plan,
            endpoints: target.endpoints,
            authorisedHosts: target.authorisedHosts,
            timebase: timebase,
            place: target.place,
            observer: narrator
        )
        calls.begin(swarm) { [stream] in RunOutput.tell($0, on: stream) }
        let end = timebase.start.later(by: target.plan.duration)
        let impatience = Task { await swarm.endWaits { swarm.now >= end } }
        defer { impatience.cancel() }
        while swarm.now < end, !narrator.hasSeenWholeBreak {
            await swarm.sleep(until: min(end, swarm.now.later(by: .milliseconds(100))))
        }
        await calls.end()
        await swarm.stop()
        let totals = RunTotals(merging: await swarm.totals())
        let failure = await swarm.pulse().harnessFailure
        await swarm.shutDown()
        if let failure { throw CommandFailure(failure, as: .ownDefect) }
        return (totals, narrator.exchanges.news)
    }

    private func write(_ exchanges: ExchangeLedger, to file: String) throws {
        do throws(CommandFailure) {
            try OutputPlace.write(
                json: Data(ExchangeArchive.json(exchanges.asked, notKept: exchanges.notKept).utf8),
                to: file
            )
        } catch {
            throw CommandFailure("--har \(error.message)", as: .notWritten)
        }
    }

    private func tellBill(of plan: LoadPlan) async {
        guard !plan.target.isEmbedded else { return }
        let now = WallTime(microseconds: MonotonicClock.wallMicroseconds())
        let target = BilledTarget(plan, profileFolder: profile.folder)
        guard let bill = try? await target.bill(startingAt: now) else { return }
        say(bill.sentence(stream.rendering).trimmingCharacters(in: .newlines))
    }

    private var stream: StandardStream { har == "-" ? .error : .output }

    private func say(_ text: String) { RunOutput.tell(text, on: stream) }

    private func tellWithheld(_ totals: RunTotals) {
        let held = WithheldText(
            pings: totals.count(of: .pingsWithheld),
            beacons: totals.count(of: .beaconsWithheld),
            adSegments: totals.count(of: .adSegmentsWithheld)
        )
        guard let list = held.list else { return }
        say("Not sent, because the profile does not say impressions: allowed: \(list).")
    }

    private func tellLeftOut(_ totals: RunTotals) {
        for (key, requests) in totals.leftOut.rows.sorted(by: { $0.key < $1.key }) {
            say(LeftOutText.news(LeftOutResult.Host(key, requests: requests)))
        }
    }

    private func judge(_ totals: RunTotals, _ plan: LoadPlan, _ patience: String) -> PodswarmExit {
        let hasBreaks = !plan.breaks.areNone
        tellLeftOut(totals)
        if let offset = totals.channelClock.offset { say(ChannelClockText.sentence(offset)) }
        let due = totals.breaks.reduce(0) { $0 + $1.due }
        let onTime = totals.breaks.reduce(0) { $0 + $1.onTime }
        let errors = RequestKind.allCases.reduce(0) { $0 + totals.errorCount(of: $1) }
        let isUnseen = hasBreaks && due == 0
        let results = FindingResult.all(
            totals.findings,
            joined: totals.viewers.people,
            allowed: plan.allowedFindings,
            vendors: plan.target.vendors
        )
        let advice = results.filter { $0.severity == Severity.advice.rawValue }
        let counted = results.filter { $0.severity != Severity.advice.rawValue }
        let breaks = TextLayout.counted(due, "break")
        let failures = TextLayout.counted(errors, "failed request")
        let seen = isUnseen ? "No break came within \(patience)" : "\(onTime) of \(breaks) in time"
        say(
            "\(hasBreaks ? seen : "The profile has no breaks"), \(failures), \(TextLayout.counted(counted.count, "finding"))."
        )
        for finding in counted {
            say("  \(text(of: finding, totals))\(finding.allowed ? " (allowed by the profile)" : "")")
        }
        for one in advice { say("  Advice: \(text(of: one, totals))") }
        if isUnseen, counted.isEmpty { say("Do the breaks of the profile fit this target? See also --patience.") }
        tellWithheld(totals)
        return !isUnseen && onTime == due && errors == 0 && !results.contains(where: \.failsRun)
            ? .passed : .targetFailed
    }

    private func text(of found: FindingResult, _ totals: RunTotals) -> String {
        let breaks = Set(totals.findings.filter { $0.code.code == found.code }.compactMap(\.breakKey)).count
        let place = breaks == 0 ? "" : " in \(TextLayout.counted(breaks, "break"))"
        let times = found.count > 1 ? " (\(TextLayout.counted(found.count, "time"))\(place))" : ""
        return "\(found.code)\(times): \(found.meaning)"
    }
}

/// Describes the steps of one viewer.
///
/// `@unchecked Sendable`: called only from the event loop of that viewer.
final class CheckNarrator: ViewerObserver, @unchecked Sendable {
    private let timebase: Timebase
    private let showsExchanges: Bool
    private let keepsExchanges: Bool
    private let write: @Sendable (String) -> Void
    /// Read it once the viewer has left.
    private(set) var exchanges = ExchangeDesk()
    /// Advice is told once; its count comes at the end.
    private var advised: Set<String> = []
    private var hasSeenPlaylist = false
    /// Redacted in URLs.
    private var ownID: StreamID?
    private var announcedBreak = ""
    private let wholeBreaks = Atomic<Int>(0)

    /// Played to its end, failed or skipped; from any thread.
    var hasSeenWholeBreak: Bool { wholeBreaks.load(ordering: .relaxed) > 0 }

    init(
        _ timebase: Timebase,
        showsExchanges: Bool,
        keepsExchanges: Bool,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.timebase, self.write) = (timebase, write)
        (self.showsExchanges, self.keepsExchanges) = (showsExchanges, keepsExchanges)
    }

    func viewer(_ number: Int, got outcome: Outcome, of kind: RequestKind, _ result: borrowing TransferResult) {
        guard showsExchanges || keepsExchanges else { return }
        let planned = timebase.wall(at: result.plannedAt)
        let exchange = Exchange(result, of: kind, by: number, own: ownID, plannedAt: planned)
        if showsExchanges { write(exchange.text) }
        if keepsExchanges { exchanges.keep { exchange } }
    }

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        if let line = self.line(for: event) { say(line, now: now) }
        for action in actions {
            if Self.endsBreak(action) { wholeBreaks.add(1, ordering: .relaxed) }
            if let line = self.line(for: action) { say(line, now: now) }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence) {
        let isAdvice = code.severity <= .advice
        guard !isAdvice || advised.insert(code.code).inserted else { return }
        let word = isAdvice ? "ADVICE " : "FINDING"
        let lines = [
            "expected \(evidence.expected), observed \(evidence.observed)", evidence.url, code.meaning,
            (evidence.likely ?? code.likelyCauses.first).map { "Likely: \($0)" } ?? "",
        ]
        write("  \(word)  \(code.code): " + lines.filter { !$0.isEmpty }.joined(separator: "\n           "))
    }

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {
        write("  WARNING  The ad server warns: \(text) (\(kind.name))")
    }

    private static func endsBreak(_ action: ViewerAction) -> Bool {
        guard case .note(let note, of: _) = action else { return false }
        return switch note {
        // A break that was under way at the start is not the one to wait for.
        case .breakSkipped(.joinedLate): false
        case .adEvent(.adBreakEnded), .breakFailed, .breakSkipped: true
        default: false
        }
    }

    private func say(_ text: String, now: Instant) {
        let seconds = Double(now &- timebase.start) / 1e9
        write(String(format: "%8.3f s  ", seconds) + text)
    }

    private func line(for event: ViewerEvent) -> String? {
        switch event {
        case .join: return "The viewer selects the channel."
        case .registered(let session):
            ownID = session.streamID ?? ownID
            return described(session)
        case .registrationFailed(let status, _):
            return "Registration failed with \(status.map { "status \($0)" } ?? "no answer")."
        case .sessionEnded: return "The target says that the session is over: the viewer makes another."
        case .multivariant(let shared):
            return "The multivariant playlist offers \(TextLayout.counted(shared.playlist.variants.count, "variant"))."
        case .playlist(let shared, _, _, _): return described(shared)
        case .playlistFailed: return "A playlist could not be loaded; it is tried again as the persona does."
        case .breakAnswered(let answer): return described(answer)
        case .breakCalled: return "A break is called for."
        case .metadata(let metadata):
            return metadata.map {
                "The metadata lists \(TextLayout.counted($0.tags.count, "tag")) of \(TextLayout.counted($0.ads.count, "ad"))."
            }
        case .avails(let avails, _):
            return "The tracking URL lists \(TextLayout.counted(avails.count, "avail"))."
        case .timer, .mediaFinished, .mediaOnLine, .deltaUnusable, .steered, .steeringFailed, .pingAnswered, .leave,
            .requestFinished:
            return nil
        }
    }

    private func described(_ session: StreamSession) -> String {
        guard let streamID = session.streamID else {
            return "Registration succeeded, but the answer has no stream id: every break will be skipped."
        }
        let polling = session.pollingFrequency.map { ", metadata every \($0.components.seconds) s" } ?? ""
        let validity = session.validUntil.map { ", valid until \($0.iso8601)" } ?? ""
        return "The ad server registered the session \(streamID.redacted)\(polling)\(validity)."
    }

    private func described(_ shared: SharedPlaylist) -> String? {
        guard !hasSeenPlaylist else { return nil }
        hasSeenPlaylist = true
        let playlist = shared.playlist
        let edge = playlist.endProgramDate.map { ", live edge \($0.iso8601)" } ?? ", without program date and time"
        let breaks =
            playlist.dateRanges.isEmpty ? "" : ", \(TextLayout.counted(playlist.dateRanges.count, "date range"))"
        return "The live playlist has \(TextLayout.counted(playlist.segments.count, "segment")), target duration "
            + "\(playlist.targetDurationSeconds) s\(edge)\(breaks)."
    }

    private func described(_ answer: BreakAnswer) -> String? {
        switch (answer.role, answer.content) {
        case (.podManifest, .multivariant(let shared)):
            return
                "The pod manifest is in hand: multivariant, \(TextLayout.counted(shared.playlist.variants.count, "variant"))."
        case (.podManifest, .media(let pod)):
            return
                "The pod manifest is in hand: a media playlist of \(TextLayout.counted(pod.content.segmentCount, "segment"))."
        case (.podPlaylist, .media(let pod)):
            return
                "The pod's media playlist has \(TextLayout.counted(pod.content.segmentCount, "segment")) in \(TextLayout.counted(pod.content.ads.count, "ad")), "
                + "\(pod.content.durationMicroseconds / 1000) ms in all."
        case (.podManifest, .failed(let failure)), (.podPlaylist, .failed(let failure)):
            return "The pod is lost: \(failure.reason.rawValue)."
        default: return nil
        }
    }

    private func line(for action: ViewerAction) -> String? {
        switch action {
        case .poll, .fetch(.segment, _, _, _, _), .fetch(.podSegment, _, _, _, _), .fetch(.key, _, _, _, _): return nil
        case .fetch(let role, let url, _, _, _):
            let method = role == .registration ? "POST" : "GET"
            let again = role == .podRepeat || role == .podRepeatPlaylist ? " (once more: it must be the same pod)" : ""
            return "\(method) \(role.kind.name)\(again): \(Redaction.url(url, own: ownID))"
        case .breakScheduled(let planned):
            let scheduled = planned.scheduled
            guard scheduled.key != announcedBreak else { return nil }
            announcedBreak = scheduled.key
            return "Next break at \(scheduled.start.iso8601), named \(planned.identifier.pathComponent)."
        case .note(let note, of: nil): return line(for: note)
        case .note(.breakDiscovered, of: .some(let planned)):
            let start = planned.scheduled.start.iso8601
            return "The playlist schedules the interstitial \(planned.scheduled.key) at \(start)."
        case .note(let note, of: .some(let planned)): return line(for: note).map { "\(planned.scheduled.key): \($0)" }
        case .abandon: return "Nothing was shown for too long: the viewer closes the application."
        case .schedule, .cancel, .preparePod, .warm, .defect, .gone: return nil
        }
    }

    private func line(for note: ViewerNote) -> String? {
        switch note {
        case .breakOnTime: return "The pod was in hand in time."
        case .breakLate(let lateness, _, _): return "The pod came \(lateness / 1_000_000) ms too late."
        case .breakFailed(let failure): return "The break failed: \(failure.rawValue)."
        case .breakSkipped(let reason): return "The break was skipped: \(reason.rawValue)."
        case .adEvent(let event): return event.rawValue
        case .counted(.rejoinedLiveEdge): return "Back at the live edge."
        case .counted(.eventsChanged): return "The schedule of interstitials changed."
        case .counted(.eventsCancelled): return "An interstitial was taken back."
        case .counted(.eventsCutShort): return "The interstitial was cut short."
        case .counted(.eventsFailed): return "The interstitial failed."
        case .counted(.eventsSkipped): return "An interstitial was skipped."
        case .counted(.eventsRestricted): return "A skip or jump was restricted."
        case .counted(.joinedMidBreak): return "The viewer joins in the middle of it."
        case .counted, .added, .breakDue, .podInHand, .breakFilled, .finding, .deltaMismatched, .breakDiscovered,
            .shutOut, .stitchedObserved:
            return nil
        }
    }
}
