import Chance
import Foundation
import Recording
import Rulebook
import RunJournal
import RunResult

/// The viewers of one shard of a run that nobody made: what they do second by second is recorded as that of real ones is.
///
/// Polls are the same work in each shard, and most of it: those of one are recorded, and the others take them in an order
/// of their own.
struct SyntheticShard {
    private static let cohorts = ["north", "south", "west"]
    /// One in so many viewers is given another pod than the rest of its cohort.
    private static let strayPods = 1_999
    /// One in so many answers of a burst comes too late, and one in so many is an error.
    private static let late = 2_003
    private static let failed = 5_003
    private static let pollFailed: UInt64 = 20_011
    /// One in so many viewers sees something in an answer that may be a session of another shard's viewer.
    private static let strays = 97
    private static let second: Int64 = 1_000_000_000
    private static let serviceTimes = ServiceTimes()
    private static let edges = (1...4).map { Edge(address: "192.0.2.\($0):443", pop: $0 < 3 ? "FRA" : "AMS") }

    /// What viewers do between breaks, second by second.
    struct Polls: Sendable {
        /// From which second on each is like the one six seconds later.
        fileprivate static let first = SyntheticRun.rampSeconds + SyntheticRun.pollSeconds
        /// After so many they come again.
        private static let count = 20 * SyntheticRun.pollSeconds

        fileprivate let seconds: [RunInterval]

        /// Those of a run's first shard.
        init(of run: SyntheticRun) {
            var shard = SyntheticShard(0, of: run.withoutBreaks)
            let all = (0..<Self.first + Self.count).map { _ in shard.next() }
            seconds = Array(all[Self.first...])
        }
    }

    private let run: SyntheticRun
    private let index: Int
    private let count: Int
    private let recorders: [LoopRecorder]
    private let polls: Polls?
    /// How many seconds later than in its own course the polls of others are taken.
    private let delay: Int
    private var chance: SplitMix64
    private(set) var collector: RunCollector

    /// - Parameters:
    ///   - index: Which shard.
    ///   - run: Of which run.
    ///   - polls: What its viewers do between breaks; nil: they do it.
    init(_ index: Int, of run: SyntheticRun, polls: Polls? = nil) {
        self.run = run
        self.index = index
        count = run.viewers(of: index)
        recorders = (0..<SyntheticRun.loops).map { _ in LoopRecorder() }
        self.polls = polls
        chance = run.chance(of: index)
        // The viewers of a second come again after six.
        delay = Int(chance.next() % 1_000) * SyntheticRun.pollSeconds
        collector = RunCollector(run.settings(of: index))
    }

    /// What happens in the next second.
    mutating func next() -> RunInterval {
        let second = collector.intervals
        if second < SyntheticRun.rampSeconds { join(second) }
        let others = pollsOfOthers(second)
        if others == nil { poll(second) }
        let next = (0..<run.breaks).first { run.second(ofBreak: $0) >= second }
        let left = next.map { run.second(ofBreak: $0) - second } ?? .max
        let announced = SyntheticRun.announcedSeconds
        if let next, left <= announced, left > announced - SyntheticRun.pollSeconds { announce(next, second) }
        if let next, left == 0 { burst(next, second) }
        var interval = interval(second, isBurst: left == 0)
        if let others { interval.take(others) }
        // Those of the loops are counted with what they did.
        interval.counts.activeViewers = 0
        for (number, recorder) in recorders.enumerated() {
            var part = recorder.takeInterval()
            interval.add(part, index: number)
            if let set = part.takeClearedSet() { recorder.giveBack(set) }
        }
        collector.fold(interval)
        return interval
    }

    /// What another shard's viewers do in a second like this one; nil where these ones' own is needed.
    private func pollsOfOthers(_ second: Int) -> RunInterval? {
        guard let polls, second >= Polls.first else { return nil }
        return polls.seconds[(second - Polls.first + delay) % polls.seconds.count]
    }

    private func loop(of viewer: Int) -> LoopRecorder { recorders[viewer % SyntheticRun.loops] }

    /// The number among all viewers of the run.
    private func number(of viewer: Int) -> Int { index + viewer * run.shards }

    private static func persona(of viewer: Int) -> UInt8 { viewer % 5 < 3 ? 0 : 1 }

    private static func wall(_ instant: Int64) -> Int64 { SyntheticRun.startMicroseconds + instant / 1_000 }

    private func viewers(joinedIn second: Int) -> StrideTo<Int> {
        stride(from: second, to: count, by: SyntheticRun.rampSeconds)
    }

    private mutating func join(_ second: Int) {
        for viewer in viewers(joinedIn: second) {
            let recorder = loop(of: viewer)
            recorder.count(.joined)
            recorder.count(.registered)
            recorder.count(.startedWatching)
            recorder.countViewer(persona: Self.persona(of: viewer))
            for kind in [RequestKind.registration, .multivariant] {
                record(kind, of: viewer, second: second, bytes: 640, isNewConnection: kind == .registration)
            }
        }
    }

    /// The viewers whose turn it is to ask for the playlist.
    private func viewers(pollingIn second: Int) -> some Sequence<Int> {
        (0..<min(SyntheticRun.rampSeconds, second + 1)).lazy
            .filter { (second - $0).isMultiple(of: SyntheticRun.pollSeconds) }
            .flatMap { viewers(joinedIn: $0) }
    }

    private mutating func poll(_ second: Int) {
        for viewer in viewers(pollingIn: second) {
            let isError = chance.next() % Self.pollFailed == 0
            record(.playlist, of: viewer, second: second, bytes: 2_108, isError: isError)
            guard !isError else { continue }
            let recorder = loop(of: viewer)
            recorder.count(.bodiesReused)
            recorder.liveEdge(ageMicroseconds: 4_000_000 + Int64(chance.next() % 2_000_000))
        }
    }

    /// A second in which nothing has happened yet.
    private mutating func interval(_ second: Int, isBurst: Bool) -> RunInterval {
        let end = Int64(second + 1) * 1_000_000
        let wall = SyntheticRun.startMicroseconds + end
        return RunInterval(
            number: second,
            startMicroseconds: end - 1_000_000,
            endMicroseconds: end,
            wallMicroseconds: wall,
            health: HealthSample(
                wallMicroseconds: wall,
                loopDelayMicroseconds: 200 + Int64(chance.next() % (isBurst ? 40_000 : 900)),
                cpuCores: (isBurst ? 1.1 : 0.2) + chance.unit() / 10,
                residentBytes: 120_000_000 + Int64(second) * 2_000 + Int64(chance.next() % 400_000),
                openDescriptors: count + 40,
                loadAverage: 0.3 + chance.unit() / 10,
                generatorWait: CoreWait(
                    ranMicroseconds: 200_000,
                    waitedMicroseconds: 2_000,
                    threadWaitedMicroseconds: 1_000
                )
            ),
            viewersByPhase: [0, 0, min(count, (second + 1) * count / SyntheticRun.rampSeconds), 0]
        )
    }

    /// Records one request that was planned at some instant of a second.
    ///
    /// - Returns: When it was done, in nanoseconds from the start of the run.
    @discardableResult
    private mutating func record(
        _ kind: RequestKind,
        of viewer: Int,
        second: Int,
        bytes: Int,
        isNewConnection: Bool = false,
        isError: Bool = false,
        breakSlot: Int32 = -1,
        queued: Int64 = 0
    ) -> Int64 {
        let recorder = loop(of: viewer)
        // Of a burst all are planned at one instant, and the server takes one after the other.
        let planned = Int64(second) * Self.second + (breakSlot < 0 ? Int64(chance.next() % 900_000_000) : 0)
        let connecting: Int64 = isNewConnection ? 2_080_000 : 0
        let sent = planned + connecting + Int64(chance.next() % 90_000) + queued / 8
        let first = sent + queued + Self.serviceTimes.next(&chance)
        let done = first + Int64(chance.next() % 100_000)
        let edge = Self.edges[viewer % Self.edges.count]
        let sample = RequestSample(
            kind: kind,
            outcome: .status(isError ? 503 : 200),
            plannedAt: planned + Self.second,
            sentAt: sent + Self.second,
            firstByteAt: first + Self.second,
            doneAt: done + Self.second,
            connectMicroseconds: isNewConnection ? 180 : 0,
            tlsMicroseconds: isNewConnection ? 1_900 : 0,
            bodyBytes: bytes,
            isNewConnection: isNewConnection,
            carrier: .exchange,
            breakSlot: breakSlot,
            edgeSlot: recorder.edgeSlot(of: edge)
        )
        guard recorder.record(sample) else { return done }
        let outcome = sample.outcome
        let number = number(of: viewer)
        recorder.keepSlow(kind, breakSlot: breakSlot, wallMicroseconds: Self.wall(planned)) {
            SlowAnswerDraft(
                responseMicroseconds: (done - planned) / 1_000,
                wallMicroseconds: Self.wall(planned),
                viewer: number,
                outcome: outcome
            ) { ("/\(kind.name)/live/main?viewer=\(number)", ServedBy(address: edge.address)) }
        }
        return done
    }
}

// MARK: Breaks

extension SyntheticShard {
    /// A break as viewers know it.
    private struct Pod {
        let identifier: String
        let start: Int64
        /// The break on each loop.
        let slots: [Int32]
        /// What is compared, for each cohort.
        let contents: [[ComparedContent]]
    }

    private func pod(_ number: Int) -> Pod {
        let identifier = "ad_break_id/mid-roll-\(number)"
        let start = SyntheticRun.startMicroseconds + Int64(run.second(ofBreak: number)) * 1_000_000
        return Pod(
            identifier: identifier,
            start: start,
            slots: recorders.map { recorder in
                recorder.breakSlot(
                    for: Self.key(number),
                    start: start,
                    durationMilliseconds: SyntheticRun.breakMilliseconds
                )
            },
            contents: Self.cohorts.map { cohort in
                [.pod(identifier), .rendition("video-1", ofPod: identifier)].map { .ofCohort(cohort, $0) }
            }
        )
    }

    private static func key(_ number: Int) -> String { "break-\(number)" }

    /// The viewers whose turn it is are told of a break by their playlist.
    private mutating func announce(_ number: Int, _ second: Int) {
        let pod = pod(number)
        for viewer in viewers(pollingIn: second) {
            let recorder = loop(of: viewer)
            let slot = pod.slots[viewer % SyntheticRun.loops]
            let wall = Self.wall(Int64(second) * Self.second) + Int64(chance.next() % 1_000_000)
            recorder.breakDiscovered(slot, wallMicroseconds: wall)
            recorder.breakAnnounced(
                slot,
                fingerprint: UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15,
                viewer: self.number(of: viewer),
                wallMicroseconds: wall,
                url: "/live/main/video-1.m3u8",
                announcement: Announcement(
                    playlist: "video-1",
                    attributes: ["CLASS": "com.apple.hls.interstitial", "ID": Self.key(number)],
                    times: ["START-DATE": pod.start, "DURATION": Int64(SyntheticRun.breakMilliseconds) * 1_000]
                )
            )
            recorder.viewerDue(slot, persona: Self.persona(of: viewer))
            recorder.breakAsked(slot, cohort: nil, milliseconds: UInt64(SyntheticRun.breakMilliseconds))
        }
    }

    /// Everybody asks for the pod at the break's start.
    private mutating func burst(_ number: Int, _ second: Int) {
        let pod = pod(number)
        for viewer in 0..<count {
            let recorder = loop(of: viewer)
            let slot = pod.slots[viewer % SyntheticRun.loops]
            recorder.podRequested(
                slot,
                identifier: pod.identifier,
                viewer: self.number(of: viewer),
                breakStart: pod.start,
                wallMicroseconds: pod.start + Int64(chance.next() % 2_000),
                url: "/pods/\(pod.identifier)?stream_id=…"
            )
            // A hundred a millisecond.
            let queued = Int64(chance.next() % UInt64(max(1, count))) * 10_000
            let isError = viewer % Self.failed == Self.failed - 1
            let done = record(
                .podManifest,
                of: viewer,
                second: second,
                bytes: 1_450,
                isError: isError,
                breakSlot: slot,
                queued: queued
            )
            guard !isError else {
                recorder.viewerFailed(slot, .podManifestFailed, persona: Self.persona(of: viewer))
                continue
            }
            record(.podPlaylist, of: viewer, second: second, bytes: 1_210, breakSlot: slot, queued: queued)
            observe(pod, of: viewer, slot, wall: Self.wall(done), on: recorder)
            recorder.breakFilled(slot, cohort: nil, ads: 2, adMilliseconds: 28_000, slateMilliseconds: 2_000)
            finish(viewer, slot, done, second, on: recorder)
        }
    }

    private func observe(_ pod: Pod, of viewer: Int, _ slot: Int32, wall: Int64, on recorder: LoopRecorder) {
        let cohort = viewer % Self.cohorts.count
        let isStray = viewer % Self.strayPods == Self.strayPods - 1
        for (place, content) in pod.contents[cohort].enumerated() {
            let body = place * 31 + cohort * 7 + (isStray ? 2 : 1)
            recorder.podObserved(
                slot,
                content,
                fingerprint: UInt64(body) &* 0x9E37_79B9_7F4A_7C15,
                viewer: number(of: viewer),
                wallMicroseconds: wall,
                evidence: Evidence(
                    url: "/pods/\(pod.identifier)?stream_id=…",
                    expected: "",
                    observed: "2 ads, 28000 ms; ads/\(isStray ? 9 : 4)/video-1/0.m4s 14000 ms in 7; "
                        + "ads/5/video-1/0.m4s 14000 ms in 7"
                )
            )
        }
    }

    private func finish(_ viewer: Int, _ slot: Int32, _ done: Int64, _ second: Int, on recorder: LoopRecorder) {
        let persona = Self.persona(of: viewer)
        let playhead = Int64(viewer % 7) * Self.second + 12 * Self.second
        let after = done - Int64(second) * Self.second
        if viewer % Self.late == Self.late - 1 {
            recorder.viewerLate(slot, lateness: after, wallMicroseconds: Self.wall(done), persona: persona)
        } else {
            recorder.viewerOnTime(
                slot,
                inHandAfterStart: after - playhead,
                wallMicroseconds: Self.wall(done),
                persona: persona
            )
        }
    }
}

// MARK: The end

extension SyntheticShard {
    /// How the run ended, with what only this shard knows.
    func ending() -> RunEnding {
        RunEnding(
            endedAtMicroseconds: collector.endedAtMicroseconds,
            lastWords: LastWords(resends: ["playlist": 3], besides: ["multivariant": 1], sessions: sessions())
        )
    }

    private func sessions() -> SessionKnowledge {
        let all = (0..<count).map { viewer in
            SessionSample.Entry(digest: digest(of: viewer), viewer: Int32(clamping: number(of: viewer)))
        }
        let kept = all.sorted { $0.digest < $1.digest }.prefix(SessionSample.most)
        var strays = StraySightings(room: StraySightings.roomOfProcess)
        for viewer in stride(from: 0, to: count, by: Self.strays) {
            strays.record(
                [digest(of: viewer) ^ 1],
                reach: .max,
                breakKey: run.breaks > 0 ? Self.key(viewer % run.breaks) : "",
                isCompared: true,
                viewer: number(of: viewer),
                wallMicroseconds: SyntheticRun.startMicroseconds + Int64(viewer),
                evidence: {
                    Evidence(
                        url: "/pods/mid-roll?stream_id=…",
                        expected: "no session but the viewer's own",
                        observed: "in an address of a segment"
                    )
                }
            )
        }
        return SessionKnowledge(
            given: SessionSample(given: count, kept: Array(kept)),
            strays: [RequestKind.podManifest.name: strays]
        )
    }

    private func digest(of viewer: Int) -> UInt64 {
        var digest = SplitMix64(seed: run.seed ^ UInt64(number(of: viewer)) << 20)
        return digest.next()
    }
}

extension RunInterval {
    /// Takes what viewers did in another second; the rest is its own.
    fileprivate mutating func take(_ other: RunInterval) {
        requests = other.requests
        viewers = other.viewers
        liveEdgeAge = other.liveEdgeAge
        edges = other.edges
        counts = other.counts
    }
}
