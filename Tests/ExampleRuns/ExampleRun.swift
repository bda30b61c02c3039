package import Rules
package import TestSupport

@testable package import Results

/// One small run in which everything a result can say is said.
package enum ExampleRun {
    package static let start: Int64 = 1_795_291_200_000_000
    package static let second: Int64 = 1_000_000_000
    package static let breakKey = "2026-11-21T20:00:00.000Z"

    package static func loops(seed: UInt64 = 1) -> [LoopInterval] {
        var generator = SeededGenerator(seed: seed)
        return (0..<2).map { loop in
            let recorder = LoopRecorder()
            for index in 0..<50 { viewer(loop * 50 + index, on: recorder, using: &generator) }
            return recorder.whole()
        }
    }

    private static func viewer(_ viewer: Int, on recorder: LoopRecorder, using generator: inout SeededGenerator) {
        recorder.count(.joined)
        let persona: UInt8 = viewer % 5 < 3 ? 0 : 1
        recorder.sums.viewers.countViewer(persona: persona)
        for poll in 0..<20 {
            var request = sample(.playlist, at: Int64(poll) * second + second, using: &generator)
            request.carrier = poll % 10 == 0 ? .curl : .exchange
            recorder.record(request)
        }
        if viewer % 25 == 0 { recorder.countRepeated(.playlist) }
        let slot = recorder.breakSlot(for: breakKey, start: start, durationMilliseconds: 30_000)
        let identifier = viewer % 5 == 0 ? "ad_break_id/mid-roll-2" : "ad_break_id/mid-roll-1"
        if viewer != 14 { recorder.viewerDue(slot, of: Cohort(persona: persona)) }
        events(of: viewer, slot, on: recorder)
        recorder.podRequested(
            slot,
            identifier: identifier,
            viewer: viewer,
            wallMicroseconds: start + Int64(viewer) * 2_500 - 40_000,
            url: "/pod/\(viewer)?stream_id=ab12…"
        )
        var fill = FillTally()
        (fill.asked, fill.askedMilliseconds) = (1, 30_000)
        (fill.cameAds, fill.cameAdMilliseconds, fill.cameSlateMilliseconds) = (2, 24_000, 6_000)
        recorder.withBreak(slot) { $0.fill.count(nil, fill) }
        recorder.podObserved(
            slot,
            .pod(identifier),
            fingerprint: viewer == 7 ? 2 : 1,
            at: ViewerMoment(viewer: viewer, wallMicroseconds: start + Int64(viewer) * 2_500 - 25_000),
            evidence: evidence(
                "/pod/\(viewer)?stream_id=ab12…",
                "",
                "3 segments, 30000 ms; ads/\(viewer == 7 ? 9 : 4)/0.m4s 30000 ms in 3"
            )
        )
        var request = sample(.podManifest, at: 30 * second, using: &generator)
        request.breakSlot = slot
        if viewer == 11 { request.outcome = .status(503) }
        if viewer == 12 { request.outcome = .failure(.reset) }
        recorder.record(request)
        outcome(of: viewer, slot, persona, on: recorder)
    }

    /// An interstitial event of which every viewer hears within two seconds, and what comes of it.
    private static func events(of viewer: Int, _ slot: BreakSlot, on recorder: LoopRecorder) {
        recorder.withKeptBreak(slot) { $0.discovery.count(at: start - 4_000_000 + Int64(viewer) * 20_000) }
        recorder.liveLatency(microseconds: 18_000_000 + Int64(viewer) * 1_000)
        recorder.count(.eventsScheduled)
        switch viewer {
        case 11, 12: recorder.count(.eventsFailed)
        case 20: recorder.count(.eventsLeft)
        case 21...30:
            recorder.count(.eventsStarted)
            recorder.count(.eventsCutShort)
            recorder.count(.eventsChanged)
        default:
            recorder.count(.eventsStarted)
            recorder.count(.eventsFinished)
        }
        guard viewer % 50 == 0 else { return }
        recorder.count(.stalls)
        recorder.count(.stalledMilliseconds, by: 740)
        recorder.count(.deltaUpdates, by: 9)
    }

    private static func outcome(of viewer: Int, _ slot: BreakSlot, _ persona: UInt8, on recorder: LoopRecorder) {
        switch viewer {
        case 11, 12: recorder.viewerFailed(slot, .podManifestFailed, of: Cohort(persona: persona))
        case 13: recorder.viewerLate(slot, lateness: 250_000_000, of: Cohort(persona: persona))
        case 14: recorder.viewerSkipped(slot, .joinedLate)
        default: recorder.viewerOnTime(slot, inHandAfterStart: Int64(viewer) * -1_000_000, of: Cohort(persona: persona))
        }
        if viewer == 14 {
            recorder.finding(
                .registrationWithoutStreamID,
                breakSlot: .outside,
                at: ViewerMoment(viewer: viewer, wallMicroseconds: start - 60_000_000),
                evidence: evidence("/stream", "stream_id", "{}")
            )
        }
    }

    package static func evidence(_ url: String, _ expected: String, _ observed: String) -> Evidence {
        Evidence(url: url, expected: expected, observed: observed)
    }

    package static func sample(
        _ kind: RequestKind,
        at planned: Int64,
        using generator: inout SeededGenerator
    ) -> RequestSample {
        let sent = planned + Int64.random(in: 0..<2_000_000, using: &generator)
        let firstByte = sent + Int64.random(in: 300_000..<8_000_000, using: &generator)
        let isNew = Int.random(in: 0..<10, using: &generator) == 0
        var sample = RequestSample(
            kind: kind,
            outcome: .status(200),
            plannedAt: planned,
            sentAt: sent,
            firstByteAt: firstByte,
            doneAt: firstByte + Int64.random(in: 0..<900_000, using: &generator)
        )
        (sample.connectMicroseconds, sample.tlsMicroseconds) = isNew ? (180, 1_900) : (0, 0)
        (sample.bodyBytes, sample.isNewConnection) = (1_200, isNew)
        return sample
    }

    package static let host = HostFacts(
        operatingSystem: "Debian GNU/Linux 12",
        kernel: "6.1.0",
        architecture: "x86_64",
        cpuModel: "Example CPU",
        cpuCount: 2,
        memoryBytes: 8_589_934_592,
        descriptorLimit: 20_000,
        ephemeralPorts: 28_232,
        sharedWithTarget: true
    )

    package static let personas = [
        PersonaDescription(name: "strict", sharePercent: 60, deadlineMilliseconds: 60_000),
        PersonaDescription(
            name: "avplayer",
            sharePercent: 40,
            unconfirmed: ["interstitials.trigger", "requests.assetList"],
            deadlineMilliseconds: 60_000
        ),
    ]

    package static func description(
        interrupted: Bool = false,
        startingAt start: Int64 = start - 30_000_000
    ) -> RunDescription {
        var description = RunDescription(
            profile: "quick",
            profileDigest: "sha256:00ff",
            seed: 18_446_744_073_709_551_615,
            target: "embedded",
            startedAtMicroseconds: start,
            host: host
        )
        description.endedAtMicroseconds = start + 60_000_000
        (description.labels, description.loops, description.tlsVerified) = (["release": "1.4.2"], 2, true)
        description.transports = ["http/1.1", "tls"]
        description.asked = [.init(name: "viewers", unit: "viewers", requested: 100, observed: 100)]
        (description.interrupted, description.versions) = (interrupted, ["libcurl": "7.88.1", "swift": "6.3.1"])
        description.audienceCurve = PlannedAudience(
            shape: "kick-off",
            stepMilliseconds: 10_000,
            viewers: [0, 60, 110, 100, 100, 100, 100]
        )
        return description
    }

    package static func document(
        interrupted: Bool = false,
        rules: [String] = ["breaks.on_time >= 99.9%", "playlist.response.p99 < 800ms", "segment.response.p99 < 1s"],
        received: [String: Int]? = ["playlist": 2_000, "pod_manifest": 100],
        allowed: Set<String> = []
    ) throws -> ResultDocument {
        var totals = RunTotals(merging: loops())
        totals.allowedFindings = Dictionary(uniqueKeysWithValues: allowed.map { ($0, .any) })
        var health = HealthResult(loopCores: 2, descriptorLimit: 20_000)
        var series = TimeSeries()
        for second in 0..<60 {
            var sample = HealthSample(wallMicroseconds: start + Int64(second) * 1_000_000)
            sample.loopDelayMicroseconds = 900
            sample.cpuCores = 0.5
            sample.residentBytes = 104_857_600
            sample.openDescriptors = 240
            sample.lateStarts = 1
            sample.loadAverage = 1.25
            sample.generatorWait = CoreWait(
                ranMicroseconds: 500_000,
                waitedMicroseconds: 40_000,
                threadWaitedMicroseconds: 25_000
            )
            sample.originWait = CoreWait(
                ranMicroseconds: 300_000,
                waitedMicroseconds: 100_000,
                threadWaitedMicroseconds: second == 30 ? 412_000 : 100_000
            )
            var counts = IntervalCounts()
            counts.requests = 35
            counts.activeViewers = 100
            health.add(sample, isOfBreak: (29..<34).contains(second))
            series.append(SeriesPoint(startMilliseconds: Int64(second) * 1_000, counts: counts, health: sample))
        }
        return ResultDocument(
            run: description(interrupted: interrupted),
            totals: totals,
            health: health,
            series: series,
            rules: try rules.map { try ThresholdRule(parsing: $0) },
            reconciliation: received.map { Reconciliation(totals: totals, originReceived: $0) },
            personas: personas
        )
    }
}
