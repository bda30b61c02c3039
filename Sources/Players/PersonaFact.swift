import Time

/// One number or choice of a persona, by the path under which a profile overrides it.
package struct PersonaFact: Sendable {
    package var path: String
    /// The fact as a profile would spell it; `connection` and `never` stand for what is not set.
    package var text: @Sendable (Persona) -> String

    private init(_ path: String, _ text: @escaping @Sendable (Persona) -> String) {
        self.path = path
        self.text = text
    }

    /// Every fact of a persona but its name and what is unconfirmed, in the order of tables.
    package static let all: [PersonaFact] =
        reload + lowLatency + start + interstitials + requests + pathways + outage
        + [PersonaFact("maximumDownloads") { String($0.maximumDownloads) }]

    private static let reload: [PersonaFact] = [
        PersonaFact("reload.afterChange") { $0.reload.afterChange.rawValue },
        PersonaFact("reload.unchanged") { $0.reload.unchanged.rawValue },
        PersonaFact("reload.clock") { $0.reload.clock.rawValue },
        PersonaFact("reload.renditionsTogether") { String($0.reload.loadsRenditionsTogether) },
        PersonaFact("reload.stuckAfter") { $0.reload.stuckAfterTargets.map(spelled) ?? "never" },
    ]

    private static let lowLatency: [PersonaFact] = [
        PersonaFact("lowLatency.blocking") { $0.lowLatency.blocking.rawValue },
        PersonaFact("lowLatency.skip") { $0.lowLatency.skip.rawValue },
        PersonaFact("lowLatency.skipsDateRanges") { String($0.lowLatency.skipsDateRanges) },
        PersonaFact("lowLatency.dropsDirectivesAfter") {
            $0.lowLatency.dropsDirectivesAfterTargets.map(spelled) ?? "never"
        },
        PersonaFact("lowLatency.retriesWithoutDirectives") { String($0.lowLatency.retriesWithoutDirectives) },
        PersonaFact("lowLatency.hints") { String($0.lowLatency.loadsHints) },
        PersonaFact("lowLatency.renditionReports") { String($0.lowLatency.usesRenditionReports) },
        PersonaFact("lowLatency.sortsParameters") { String($0.lowLatency.sortsParameters) },
        PersonaFact("lowLatency.tuneInTargets") { $0.lowLatency.tuneInTargets.map(spelled) ?? "never" },
        PersonaFact("lowLatency.retryWait") { $0.lowLatency.retryWait?.text ?? "-" },
    ]

    private static let start: [PersonaFact] = [
        PersonaFact("start.point") { $0.start.point.rawValue },
        PersonaFact("start.targets") { spelled($0.start.targets) },
    ]

    private static let interstitials: [PersonaFact] = [
        PersonaFact("interstitials.trigger") { $0.interstitials.trigger.kind.rawValue },
        PersonaFact("interstitials.lookAhead") { persona in
            guard case .bufferedOrEdge(let lookAhead) = persona.interstitials.trigger else { return "-" }
            return lookAhead.text
        },
        PersonaFact("interstitials.leadTargets") { persona in
            guard case .playheadTargets(let targets) = persona.interstitials.trigger else { return "-" }
            return spelled(targets)
        },
        PersonaFact("interstitials.lead") { persona in
            guard case .playhead(let lead) = persona.interstitials.trigger else { return "-" }
            return lead.text
        },
        PersonaFact("interstitials.preload") { $0.interstitials.preload.rawValue },
        PersonaFact("interstitials.primaryID") { String($0.interstitials.sendsPrimaryID) },
        PersonaFact("interstitials.startOffset") { String($0.interstitials.sendsStartOffset) },
        PersonaFact("interstitials.oneListAtATime") { String($0.interstitials.loadsOneListAtATime) },
        PersonaFact("interstitials.assetsTogether") { String($0.interstitials.loadsAssetsTogether) },
        PersonaFact("interstitials.beacons") { String($0.interstitials.sendsBeacons) },
    ]

    private static let requests: [PersonaFact] =
        rule("multivariant") { $0.multivariant } + rule("playlist") { $0.playlist } + rule("segment") { $0.segment }
        + rule("assetList") { $0.assetList } + rule("asset") { $0.asset } + rule("steering") { $0.steering }

    private static let pathways: [PersonaFact] = [
        PersonaFact("pathways.steering") { String($0.pathways.followsSteering) },
        PersonaFact("pathways.penalty") { $0.pathways.penalty.text },
    ]

    private static let outage: [PersonaFact] = [
        PersonaFact("outage.leavesFirst") { $0.outage.leavesFirst.text },
        PersonaFact("outage.leavesLast") { $0.outage.leavesLast.text },
        PersonaFact("outage.penalty") { $0.outage.penalty?.text ?? "until-loaded" },
        PersonaFact("outage.forgives") { String($0.outage.forgives) },
        PersonaFact("outage.noneLeft") { $0.outage.noneLeft.rawValue },
        PersonaFact("outage.pause") { $0.outage.pause?.text ?? "half-target" },
        PersonaFact("outage.freshPause") { $0.outage.freshPause?.text ?? "as-pause" },
        PersonaFact("outage.stopsDryAfter") { $0.outage.stopsDryAfter.map(String.init) ?? "never" },
        PersonaFact("outage.noChannel") { $0.outage.noChannel.rawValue },
        PersonaFact("outage.segment") { $0.outage.segment.rawValue },
        PersonaFact("outage.segmentPause") { $0.outage.segmentPause?.text ?? "half-target" },
    ]

    private static func rule(
        _ kind: String,
        _ rule: @escaping @Sendable (RequestFacts) -> RequestRule
    ) -> [PersonaFact] {
        [
            PersonaFact("\(kind).connect") { limit(rule($0.requests).connect) },
            PersonaFact("\(kind).firstByte") { limit(rule($0.requests).firstByte) },
            PersonaFact("\(kind).total") { limit(rule($0.requests).total) },
            PersonaFact("\(kind).retriesClientErrors") { String(rule($0.requests).retriesClientErrors) },
        ] + retries("\(kind).afterTimeout") { rule($0).afterTimeout }
            + retries("\(kind).afterError") { rule($0).afterError }
            + retries("\(kind).afterNoAnswer") { rule($0).afterNoAnswer }
    }

    private static func retries(
        _ path: String,
        _ rule: @escaping @Sendable (RequestFacts) -> RetryRule
    ) -> [PersonaFact] {
        [
            PersonaFact("\(path).retries") {
                let retries = rule($0.requests).retries
                return retries == RetryRule.endless ? "endless" : String(retries)
            },
            PersonaFact("\(path).wait") { rule($0.requests).firstWait.text },
            PersonaFact("\(path).growth") { rule($0.requests).growth.rawValue },
            PersonaFact("\(path).factor") { spelled(rule($0.requests).factor) },
            PersonaFact("\(path).longestWait") { rule($0.requests).longestWait.text },
            PersonaFact("\(path).fuzz") { spelled(rule($0.requests).fuzz) },
        ]
    }

    /// Whether a persona has nothing to say here that an earlier version could not: digests leave it out.
    package func isSilent(in persona: Persona) -> Bool {
        let mark = ".afterNoAnswer."
        if path.contains(mark), let twin = Self.byPath[path.replacing(mark, with: ".afterError.")] {
            return text(persona) == twin.text(persona)
        }
        guard path.hasPrefix("outage.") || path == "lowLatency.retryWait" else { return false }
        var plain = persona
        plain.outage = OutageFacts()
        plain.lowLatency.retryWait = nil
        return text(persona) == text(plain)
    }

    private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

    private static func limit(_ duration: Duration?) -> String {
        duration.map(\.text) ?? "connection"
    }

    private static func spelled(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
    }
}

extension InterstitialFacts {
    /// The kinds of ``Trigger``, as a profile names them.
    package enum TriggerKind: String, Sendable, CaseIterable {
        case buffered
        case bufferedOrEdge = "buffered-or-edge"
        case playheadTargets = "playhead-targets"
        case playhead
        case discovery
        case never
    }
}

extension InterstitialFacts.Trigger {
    package var kind: InterstitialFacts.TriggerKind {
        switch self {
        case .buffered: .buffered
        case .bufferedOrEdge: .bufferedOrEdge
        case .playheadTargets: .playheadTargets
        case .playhead: .playhead
        case .discovery: .discovery
        case .never: .never
        }
    }
}
