import AdServing
package import Foundation
import Origin
package import Profile
import Report
import Results
import Rules
package import Swarm
package import Transport
package import Values
import Viewer

/// The plan's embedded origin, or one that replaces its target.
package struct BilledTarget {
    /// Assumption: on this machine, or over a network.
    package static func answerTime(of plan: LoadPlan) -> Duration {
        plan.target.isEmbedded ? OriginLayout.answerTime : .milliseconds(50)
    }

    private var plan: LoadPlan
    private let profileFolder: URL
    private var assumptions: [String]

    package init(_ plan: LoadPlan, profileFolder: URL) {
        (self.plan, self.profileFolder) = (plan, profileFolder)
        assumptions = plan.target.isEmbedded ? [] : AssumedChannel(plan).assumptions
        if case .embedded(var embedded) = plan.target, embedded.faultPlanPath != nil {
            assumptions.append("What the planned faults of the profile change is left out.")
            embedded.faultPlanPath = nil
            self.plan.target = .embedded(embedded)
        }
        if let note = plan.proxyNote { assumptions.append(note) }
        if plan.breaks.source.triggerPlan != nil {
            assumptions.append("Breaks that are called for while the run goes are not in it (--breaks-at).")
        }
    }

    /// Throws `CommandFailure` for an invalid configuration of the origin.
    package func bill(startingAt start: WallTime) async throws -> BillDocument {
        document(try await counted(startingAt: start), start: start)
    }

    package func counted(startingAt start: WallTime) async throws -> RunBill {
        let network = VirtualNetwork(latency: Self.answerTime(of: plan))
        let origin = {
            try VirtualOrigin(plan, profileFolder: profileFolder, from: start, over: network)
        }
        do {
            return try await BilledRun(try origin().plan).bill(before: origin)
        } catch let defect as BilledRun.Defect {
            throw CommandFailure(.ownDefect, "the bill: \(defect.reason)")
        } catch {
            throw CommandFailure(.badInput, "the bill: \(error)")
        }
    }

    package func document(_ bill: RunBill, start: WallTime) -> BillDocument {
        var lines: [String: BillDocument.Line] = [:]
        for (kind, line) in bill.lines where !isUnknown(kind) { lines[kind.name] = self.line(line) }
        var total = line(bill.total)
        for (kind, line) in bill.lines where isUnknown(kind) {
            total.count -= line.count
            total.estimatedBodyBytes = total.estimatedBodyBytes.map { $0 - line.bodyBytes }
        }
        return BillDocument(
            profile: plan.name,
            profileDigest: plan.digest,
            target: plan.target.name,
            startsAtMicroseconds: start.microseconds,
            durationMilliseconds: plan.duration.nanosecondsHeld / 1_000_000,
            viewers: BillDocument.Viewers(
                planned: plan.audience.viewers,
                joined: bill.joined,
                replaced: bill.replaced,
                counted: bill.counted
            ),
            audienceCurve: PlannedAudience(bill.course, of: plan),
            breaks: BillDocument.Breaks(count: bill.breaks, due: bill.breaksDue),
            renewals: bill.renewals,
            requests: lines,
            total: total,
            withheld: BillDocument.Withheld(
                pings: bill.pingsWithheld,
                beacons: bill.beaconsWithheld,
                adSegments: bill.adSegmentsWithheld
            ),
            assumptions: assumptions + startAssumptions + countAssumptions(bill)
        )
    }

    private func line(_ line: RunBill.Line) -> BillDocument.Line {
        BillDocument.Line(
            count: line.count,
            samplingError: line.error > 0 ? line.error : nil,
            bodyBytes: plan.target.isEmbedded ? line.bodyBytes : nil,
            estimatedBodyBytes: plan.target.isEmbedded ? nil : line.bodyBytes,
            peakPer100Milliseconds: line.peak,
            peakAtMilliseconds: line.peakAtMilliseconds
        )
    }

    /// Only the replacing origin needs a registration: templates without a session have none.
    private func isUnknown(_ kind: RequestKind) -> Bool {
        guard case .urlTemplates(let target) = plan.target, target.session == nil else { return false }
        return kind == .registration
    }

    /// A wall-clock schedule falls into a run more or less often.
    private var startAssumptions: [String] {
        let steps = plan.breaks.source.each.compactMap { source -> Int64? in
            switch source {
            case .every(let every, _): max(every.nanosecondsHeld, 1)
            case .guideMinute(let repeats) where repeats: Duration.seconds(60).nanosecondsHeld
            default: nil
            }
        }
        let length = plan.duration.nanosecondsHeld
        return steps.filter { !length.isMultiple(of: $0) }.map { step in
            let breaks = steps.count == 1 ? "breaks" : "breaks of every \(Duration.nanoseconds(step))"
            let least = length / step
            return
                "A run of this length meets \(least) or \(least + 1) \(breaks), by the moment at which it starts (--at)."
        }
    }

    private func countAssumptions(_ bill: RunBill) -> [String] {
        guard bill.counted < bill.planned else { return [] }
        let counted = TextLayout.counted(bill.counted, "viewer")
        return [
            "\(counted) of \(TextLayout.grouped(bill.planned)) were counted, and stand for the others of their personas: the sums "
                + "may be off by what is written behind ±, or in one case of twenty by more. Peaks of what viewers ask each at a "
                + "time of its own are too high."
        ]
    }
}

/// The channel of a target that is not asked: facts of the profile, else defaults.
private struct AssumedChannel {
    private static let metadataPolling = Duration.seconds(10)
    private let plan: LoadPlan
    /// Short: a target that is polled less than the bill says is not harmed.
    private let segmentDuration: Duration
    private let adDuration: Duration
    private let breakInterval: Duration
    private let length: Duration

    init(_ plan: LoadPlan) {
        self.plan = plan
        let expected = plan.channel
        segmentDuration = expected.targetDuration.map(OriginConfiguration.nearestSegmentDuration) ?? .seconds(4)
        adDuration = expected.adDuration ?? .seconds(10)
        breakInterval = expected.breakInterval ?? .seconds(60)
        length = expected.breakDuration ?? plan.breaks.podDuration
    }

    /// Same requests from the reference origin, without the target's names or secrets.
    var standIn: LoadPlan {
        var standIn = plan
        standIn.target = .embedded(origin)
        standIn.breaks.source = BreakPlan.Source(
            plan.breaks.source.each.map { $0.isDateRange ? .dateRange(classAttribute: nil) : $0 }
        )
        return standIn
    }

    func configured(_ configuration: OriginConfiguration) -> OriginConfiguration {
        var configuration = configuration
        configuration.breakDuration = length
        // Viewers that all have their own schedule need none of the channel.
        configuration.breakInterval = isScheduled ? max(breakInterval, length) : .zero
        configuration.breakOffset = isScheduled ? breakOffset : .zero
        if plan.breaks.playsInterstitials, !plan.target.schedulesInterstitials {
            configuration.channelPlanText = interstitials
            if !plan.breaks.source.readsDateRanges { configuration.breakInterval = .zero }
        }
        return configuration
    }

    private var breakOffset: Duration { plan.channel.breakOffset ?? .zero }

    private var interstitials: String {
        let ad = min(adDuration, length)
        let ads = max(1, min(Int((length / ad).rounded()), 16))
        let times = "every: \(max(breakInterval, length).text), offset: \(breakOffset.text)"
        return "interstitials: [{\(times), assets: \(ads), assetDuration: \(ad.text)}]"
    }

    private var isScheduled: Bool {
        plan.breaks.source.readsDateRanges || plan.breaks.playsInterstitials || plan.breaks.recognisesStitched
    }

    private var origin: EmbeddedOriginPlan {
        var origin = EmbeddedOriginPlan.usual
        origin.shape = plan.target.shape
        origin.reporting = plan.target.reporting
        origin.segmentDuration = segmentDuration
        origin.adDuration = min(adDuration, max(length, .seconds(1)))
        origin.announcesBreaks = plan.breaks.source.readsDateRanges
        origin.metadataPollingFrequency = Self.metadataPolling
        return origin
    }

    var assumptions: [String] {
        var facts = [
            "segments of \(text(segmentDuration)) (channel.targetDuration)",
            "ads of \(text(adDuration)) (channel.adDuration)",
        ]
        if case .podServing = plan.target, plan.playback.pollsMetadata {
            facts.append("metadata every \(text(Self.metadataPolling))")
        }
        if isScheduled {
            facts.append("a break of \(text(length)) each \(text(breakInterval)) (channel.breakInterval)")
        }
        return [
            "The target is not asked. It is taken for a plain channel with \(facts.joined(separator: ", ")).",
            "Low latency, audio and subtitles apart, content steering and stitched ads come on top. So does what viewers ask again where answers are slow, late or wrong.",
            "How many bytes it sends only the target knows. The figures above are those of the reference origin, whose "
                + "segments have about 100 kbit/s; a target's are larger by as much as its bit rates are.",
        ]
    }

    private func text(_ duration: Duration) -> String {
        let milliseconds = duration.nanosecondsHeld / 1_000_000
        return milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}

extension VirtualOrigin {
    /// Throws mistakes in the origin's configuration.
    package init(
        _ plan: LoadPlan,
        profileFolder: URL,
        from start: WallTime,
        on clock: VirtualClock = VirtualClock(),
        over network: VirtualNetwork
    ) throws {
        let channel = AssumedChannel(plan)
        let played = plan.target.isEmbedded ? plan : channel.standIn
        guard case .embedded(let embedded) = played.target else {
            throw CommandFailure(.ownDefect, "there is no origin for virtual time")
        }
        var settings = OriginConfiguration(embedded, of: played, profileFolder: profileFolder)
        (settings.usesTLS, settings.certificateOutput) = (false, nil)
        if !plan.target.isEmbedded { settings = channel.configured(settings) }
        let service = try OriginService(settings, started: start + (.zero - OriginLayout.headStart))
        service.listens(on: OriginLayout.virtualPort)
        self.init(
            service,
            before: played,
            endpoints: try TargetEndpoints(embedded, at: OriginLayout.virtualBase),
            at: OriginLayout.virtualBase,
            from: start,
            on: clock,
            over: network
        )
    }
}

extension TargetPlan {
    /// Whether the replacing origin schedules interstitials.
    fileprivate var schedulesInterstitials: Bool {
        switch self {
        case .mediaTailor, .eyevinnProxy: true
        case .embedded, .podServing, .urlTemplates: false
        }
    }

    fileprivate var shape: EmbeddedShape {
        switch self {
        case .embedded(let origin): origin.shape
        case .podServing: .podServing
        case .mediaTailor(let plan): plan.target.session == .implicit ? .mediaTailorImplicit : .mediaTailorExplicit
        case .eyevinnProxy: .eyevinnProxy
        case .urlTemplates: .urlTemplates
        }
    }
}
