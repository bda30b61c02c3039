import AdServing
import Results
import Rules
import Testing

@testable import Audit
@testable import Profile
@testable import Swarm
@testable import Viewer

extension ScriptedCrowd {
    static func joined(
        _ plan: LoadPlan = .forTests(),
        multivariant: String? = nil,
        number: Int = 0,
        at seconds: Double = 0
    ) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan, number: number)
        viewer.advance(seconds: seconds)
        viewer.join()
        viewer.answer(.registration)
        viewer.answer(.multivariant, multivariant)
        return viewer
    }

    /// A viewer that has seen its first playlist, and watched for some seconds.
    static func watching(
        _ plan: LoadPlan = .forTests(),
        number: Int = 0,
        registers: Bool = true,
        seconds: Double = 0
    ) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan, number: number)
        viewer.startWatching(registers: registers)
        viewer.watch(seconds: seconds)
        return viewer
    }

    /// A viewer at the start of the first break's ads, whose metadata poll of that second is open; later ones follow the
    /// answers by a second.
    static func inAds(_ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan)
        viewer.join()
        viewer.answer(.registration, AnswerBody.registration().replacing("frequency\":10", with: "frequency\":1"))
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.watch(seconds: 19.75)
        viewer.advance(seconds: 0.25)
        viewer.answerPod()
        return viewer
    }

    /// Lets time pass in tenths of a second, and answers pings at once.
    ///
    /// - Returns: Media ids that were pinged, each with the seconds since the beginning.
    func pings(seconds: Double = 0) -> [String] {
        var pings: [String] = []
        for step in 0...Int(seconds * 10) {
            if step > 0 { advance(seconds: 0.1) }
            while let request = first(.verification), pings.count < 1_000 {
                pings.append("\(request.url.split(separator: "/").last ?? "") \(Double(step) / 10)")
                answer(request, Reply())
            }
        }
        return pings
    }

    /// Viewers that have joined, each request of which was answered.
    static func allWatching(
        _ plan: LoadPlan = .forTests(),
        viewers: Int = 1,
        identifiesViewers: Bool = false
    ) -> ScriptedCrowd {
        let crowd = ScriptedCrowd(plan, viewers: viewers, identifiesViewers: identifiesViewers)
        crowd.join()
        crowd.answerAll()
        return crowd
    }

    /// Joins, registers and shows the first playlist, all at once.
    func startWatching(registers: Bool = true) {
        join()
        answer(.registration, status: registers ? 200 : 403)
        answer(.multivariant)
        answer(.playlist)
    }

    /// Answers polls, metadata and pings while time passes; the channel slides by a segment every two seconds.
    ///
    /// Pods are answered only where `pods` says of which ads, in seconds.
    func watch(seconds: Double, pods: [Double]? = nil) {
        watch(seconds: seconds) { request in
            self.version = 2 + Int(self.seconds / 2)
            switch request.role {
            case .playlist, .metadata, .verification:
                return Reply(body: AnswerBody.ordinary(request, version: self.version))
            case .podManifest: return pods.map { Reply(body: AnswerBody.pod($0)) }
            default: return nil
            }
        }
    }

    /// Answers polls from a channel, and segments, while time passes.
    func watch(_ channel: ScriptedChannel, seconds: Double, step: Double = 0.05) {
        watch(seconds: seconds, step: step) { request in
            switch request.role {
            case .playlist: Reply(body: channel.text(at: self.seconds))
            case .segment: Reply()
            default: nil
            }
        }
    }

    /// The open playlist request of an index, by default the video's.
    func poll(index: UInt8? = nil) -> Request? {
        let index = index ?? machine.requestIndex(of: .video)
        return open.first { ($0.role == .playlist || $0.role == .blockingPlaylist) && $0.index == index }
    }

    /// Answers the open playlist request of an index after some seconds.
    func answerPlaylist(
        _ text: String,
        index: UInt8? = nil,
        after seconds: Double = 0,
        age: Int? = nil,
        handling: Duration = .zero
    ) {
        replyToPoll(
            index,
            after: seconds,
            Reply(body: text, headers: age.map { ["age": "\($0)"] } ?? [:], handling: handling)
        )
    }

    /// Answers the open playlist request of an index with a failure.
    func fail(_ reason: LoadFailure, index: UInt8? = nil, after seconds: Double = 0) {
        replyToPoll(index, after: seconds, .failing(reason))
    }

    private func replyToPoll(_ index: UInt8?, after seconds: Double, _ reply: Reply) {
        guard let request = poll(index: index) else {
            Issue.record("no open poll: \(open.map(\.url))")
            return
        }
        advance(seconds: seconds)
        answer(request, reply)
    }

    func answerPod(_ seconds: [Double] = [5, 5]) { answer(.podManifest, AnswerBody.pod(seconds)) }

    /// Nanoseconds that the viewer plays behind the wall clock, as seconds.
    var latency: Double { Double(machine.screen.playback.latency ?? .min) / 1e9 }

    /// A turn now, for what is asked of a part directly.
    var turn: Turn {
        Turn(
            now: now,
            number: machine.number,
            plan: plan,
            playerFacts: plan.playbackFacts[Int(machine.personaIndex)],
            chance: ViewerChance(seed: plan.seed, viewer: machine.number)
        )
    }
}

extension ScriptedTransport.Reply {
    /// An answer that a viewer takes for a failure.
    static func failing(_ failure: LoadFailure) -> Self {
        switch failure {
        case .timeout: Self(failure: .firstByteTimeout)
        case .badRequest: Self(status: 400)
        case .clientError: Self(status: 404)
        case .unavailable: Self(status: 503)
        case .internalError: Self(status: 500)
        case .other: Self(status: 502)
        case .noAnswer: Self(failure: .connectRefused)
        case .unreadable: Self(body: "<html>")
        }
    }
}

extension ScriptedCrowd {
    var totals: RunTotals { RunTotals(merging: [crowd.totals()]) }

    /// Findings but those about live playlists alone: the scripted ones keep few of their rules.
    var findings: [Finding] { totals.findings.filter { $0.code.group.isOfAds } }

    /// Codes of these findings, sorted.
    var codes: [String] { findings.map(\.code.code).sorted() }

    /// Codes of these findings, each with whether it is of the first break, sorted.
    var codesByBreak: [String] {
        findings.map { finding in
            guard let key = finding.breakKey else { return finding.code.code }
            return key == scheduled.first?.scheduled.key
                ? "\(finding.code.code) in the break" : "\(finding.code.code) in \(key)"
        }.sorted()
    }

    func findings(_ code: FindingCode) -> [Finding] { totals.findings.filter { $0.code == code } }

    var evidence: [Evidence] { totals.findings.compactMap(\.first?.evidence) }
}

extension FindingCode.Group {
    var isOfAds: Bool { self == .pods || self == .sessions || self == .audience }
}

extension ViewerSlot {
    /// The viewer's own next break.
    var planned: PlannedBreak? { record.current?.planned }

    /// Pod identifier as it stands in the path.
    var podIdentifier: String { planned?.pathComponent ?? "" }

    /// The measurement's number for the viewer's next break.
    var breakSlot: BreakSlot { record.current?.slot ?? .outside }
}
