import AdServing
package import Foundation
import Origin
package import Profile
package import Report
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
        assumptions = plan.target.isEmbedded ? [] : AssumedChannel(plan: plan).assumptions
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
        let origin = { try VirtualOrigin(plan, profileFolder: profileFolder, from: start, over: network) }
        do {
            return try await BilledRun(try origin().plan).bill(before: origin)
        } catch let defect as BilledRun.Defect {
            throw CommandFailure("the bill: \(defect.reason)", as: .ownDefect)
        } catch {
            throw CommandFailure("the bill: \(error)")
        }
    }

    package func document(_ bill: RunBill, start: WallTime) -> BillDocument {
        var lines: [String: RunBill.Line] = [:]
        var (total, viewers) = (known(bill.total), bill.viewers)
        viewers.planned = plan.audience.viewers
        for (kind, line) in bill.lines {
            // Only the replacing origin needs a registration: templates without a session have none.
            if kind == .registration, !plan.target.hasSession {
                total.count -= line.count
                total.estimatedBodyBytes = total.estimatedBodyBytes.map { $0 - (line.bodyBytes ?? 0) }
            } else {
                lines[kind.name] = known(line)
            }
        }
        return BillDocument(
            profile: plan.name,
            profileDigest: plan.digest,
            target: plan.target.name,
            startsAtMicroseconds: start.microseconds,
            durationMilliseconds: plan.duration.nanosecondsHeld / 1_000_000,
            viewers: viewers,
            audienceCurve: PlannedAudience(bill.course, of: plan),
            breaks: bill.breaks,
            renewals: bill.renewals,
            requests: lines,
            total: total,
            withheld: bill.withheld,
            assumptions: assumptions + startAssumptions + countAssumptions(bill)
        )
    }

    /// Only the target knows what it sends.
    private func known(_ line: RunBill.Line) -> RunBill.Line {
        var line = line
        if !plan.target.isEmbedded { (line.bodyBytes, line.estimatedBodyBytes) = (nil, line.bodyBytes) }
        return line
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
        guard bill.isOfSample else { return [] }
        let counted = TextLayout.counted(bill.viewers.counted, "viewer")
        return [
            "\(counted) of \(TextLayout.grouped(bill.viewers.planned)) were counted, and stand for the others of their personas: the sums "
                + "may be off by what is written behind ±, or in one case of twenty by more. Peaks of what viewers ask each at a "
                + "time of its own are too high."
        ]
    }
}

/// The channel of a target that is not asked: facts of the profile, else defaults.
private struct AssumedChannel {
    private static let metadataPolling = Duration.seconds(10)
    let plan: LoadPlan

    /// Short: a target that is polled less than the bill says is not harmed.
    private var segmentDuration: Duration {
        plan.channel.targetDuration.map(OriginConfiguration.nearestSegmentDuration) ?? .seconds(4)
    }
    private var adDuration: Duration { plan.channel.adDuration ?? .seconds(10) }
    private var breakInterval: Duration { plan.channel.breakInterval ?? .seconds(60) }
    private var length: Duration { plan.channel.breakDuration ?? plan.breaks.podDuration }

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
        if hasStitchedAds { configuration.channelPlanText = stitched }
        if plan.breaks.playsInterstitials, !plan.target.schedulesInterstitials {
            let events = "interstitials: [{\(times(after: length)), \(interstitial)}]"
            configuration.channelPlanText = [events, configuration.channelPlanText].compactMap { $0 }.joined(
                separator: "\n"
            )
            if !plan.breaks.source.readsDateRanges { configuration.breakInterval = .zero }
        }
        return configuration
    }

    private var breakOffset: Duration { plan.channel.breakOffset ?? .zero }

    private func times(after shortest: Duration) -> String {
        "every: \(max(breakInterval, shortest).text), offset: \(breakOffset.text)"
    }

    private var interstitial: String {
        let ad = min(adDuration, length)
        let ads = max(1, min(Int((length / ad).rounded()), 16))
        return "assets: \(ads), assetDuration: \(ad.text)"
    }

    private var stitched: String {
        // Content is left between two breaks, as the origin wants.
        let lengths = "duration: \(length.text), adDuration: \(min(adDuration, length).text)"
        return "stitched: {\(times(after: length + .seconds(16))), \(lengths)}"
    }

    private var hasStitchedAds: Bool {
        plan.target.shape == .mediaTailorStitched
            || plan.breaks.recognisesStitched && (verifiesProgramme || pollsTemplateMetadata)
    }

    private var pollsTemplateMetadata: Bool {
        plan.target.shape == .urlTemplates && plan.target.hasMetadata && plan.playback.pollsMetadata
    }

    /// Whether viewers verify ads that a manipulator stitched into the channel.
    private var verifiesProgramme: Bool {
        plan.target.hasMetadata && plan.playback.segments.includesContent
            && plan.playback.sendsVerificationPings && plan.impressions == .allowed
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
        if plan.breaks.recognisesStitched, verifiesProgramme || pollsTemplateMetadata { origin.mediaIDs = .prefixes }
        return origin
    }

    var assumptions: [String] {
        var facts = [
            "segments of \(text(segmentDuration)) (channel.targetDuration)",
            "ads of \(text(adDuration)) (channel.adDuration)",
        ]
        let isPodServing = if case .podServing = plan.target { true } else { false }
        if isPodServing || hasStitchedAds && pollsTemplateMetadata, plan.playback.pollsMetadata {
            facts.append("metadata every \(text(Self.metadataPolling))")
        }
        if isScheduled {
            facts.append("a break of \(text(length)) each \(text(breakInterval)) (channel.breakInterval)")
        }
        return [
            "The target is not asked. It is taken for a plain channel with \(facts.joined(separator: ", ")).",
            "Low latency, audio and subtitles apart, content steering\(hasStitchedAds ? "" : " and stitched ads") come on top. So does what viewers ask again where answers are slow, late or wrong.",
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
        let channel = AssumedChannel(plan: plan)
        let played = plan.target.isEmbedded ? plan : channel.standIn
        guard case .embedded(let embedded) = played.target else {
            throw CommandFailure("there is no origin for virtual time", as: .ownDefect)
        }
        var settings = OriginConfiguration(embedded, of: played, profileFolder: profileFolder)
        (settings.supposesTLS, settings.usesTLS, settings.certificateOutput) = (settings.usesTLS, false, nil)
        if !plan.target.isEmbedded { settings = channel.configured(settings) }
        let service = try OriginService(settings, started: start + (.zero - OriginLayout.headStart))
        service.listens(on: OriginLayout.virtualPort)
        self.init(
            service,
            before: played,
            endpoints: TargetEndpoints(embedded, at: OriginLayout.virtualBase),
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
        case .mediaTailor(let plan): plan.insertion == .guided
        case .eyevinnProxy: true
        case .embedded, .podServing, .urlTemplates: false
        }
    }

    fileprivate var shape: EmbeddedShape {
        switch self {
        case .embedded(let origin): origin.shape
        case .podServing: .podServing
        // An implicit stitched session is any channel whose playlists have the session in their addresses.
        case .mediaTailor(let plan) where plan.insertion == .stitched: .mediaTailorStitched
        case .mediaTailor(let plan): plan.session == .implicit ? .mediaTailorImplicit : .mediaTailorExplicit
        case .eyevinnProxy: .eyevinnProxy
        case .urlTemplates: .urlTemplates
        }
    }
}

/// Expected requests of a run, printed by `podswarm plan`.
package struct BillDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.bill"
    package static let schemaVersion = 1

    var schema = Self.schemaName
    var schemaVersion = Self.schemaVersion
    var podswarmVersion = PodswarmVersion.current
    var profile: String
    var profileDigest: String
    /// Spelled as in profiles.
    var target: String
    /// Join of the first viewer, since the Unix epoch.
    var startsAtMicroseconds: Int64
    var durationMilliseconds: Int64
    var viewers: RunBill.Viewers
    /// Nil if all join and stay.
    var audienceCurve: PlannedAudience?
    var breaks: RunBill.Breaks
    /// Requests of renewals count as registrations.
    var renewals: Int
    var requests: [String: RunBill.Line]
    var total: RunBill.Line
    var withheld: RunBill.Withheld
    package var assumptions: [String]
}

extension BillDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let curve = audienceCurve
        let seconds = Double(durationMilliseconds) / 1_000
        let start = UTCText.iso8601(microseconds: startsAtMicroseconds)
        let held = heldBack.list.map { "Withheld, and not in the sums: \($0)." }
        let title = ["Viewers over time", curve?.shape].compactMap(\.self).joined(separator: ": ")
        let sections = [
            Section("bill", "Bill of \(profile), for a start at \(start)").showing([.said(facts)]),
            Section("course", title).showing([
                curve.map { curve in .typed { CourseText(seconds: seconds, width: $0).lines(curve) } }
            ]), Section("requests", "Requests").showing([table, held.map { .said($0) }]),
            Section("assumptions", "Assumptions").showing([.list(assumptions.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    /// One sentence with a final line feed.
    package func sentence(_ rendering: TextRendering = TextRendering()) -> String {
        let kinds = RequestKind.allCases.compactMap { kind in
            requests[kind.name].map { "\(kind.name) \(TextLayout.grouped($0.count))" }
        }
        let seconds = MetricText.number(Double(durationMilliseconds) / 1_000)
        let all = TextLayout.counted(total.count, "request")
        let held = heldBack.list.map { "; withheld: \($0)" } ?? ""
        let text = "Asks for about \(all) in \(seconds) s: \(kinds.joined(separator: ", "))\(held)."
        return rendering.text([rendering.wrapped(Words(text))])
    }

    private var heldBack: WithheldText {
        WithheldText(pings: withheld.pings, beacons: withheld.beacons, adSegments: withheld.adSegments)
    }

    private var facts: String {
        let replaced = viewers.replaced
        let planned = TextLayout.counted(viewers.planned, "viewer")
        let joining = TextLayout.grouped(viewers.joined - replaced)
        var facts = [
            audienceCurve == nil ? planned : "at most \(planned) at once, \(joining) join",
            "\(MetricText.number(Double(durationMilliseconds) / 1_000)) s",
            "\(TextLayout.counted(breaks.count, "break")), due for "
                + "\(TextLayout.counted(breaks.due, "viewer")) in all",
        ]
        if replaced > 0 { facts.append("\(TextLayout.grouped(replaced)) replaced") }
        if renewals > 0 { facts.append("\(TextLayout.counted(renewals, "session")) renewed") }
        return facts.joined(separator: "; ")
    }

    private var table: Block {
        let lines = RequestKind.allCases.compactMap { kind in requests[kind.name].map { (kind.name, $0) } }
        let table = Table("Table of requests", ["request", "count", "peak in 100 ms", "at", "body bytes"])
        return table.listing(lines + [("all", total)]) { name, line in
            let error = line.samplingError.map { " ± \(TextLayout.grouped($0))" } ?? ""
            let bytes =
                line.bodyBytes.map { TextLayout.grouped($0) }
                ?? line.estimatedBodyBytes.map { "about \(TextLayout.grouped($0))" } ?? "not known"
            return Table.Row([
                Words(name), Words(TextLayout.grouped(line.count) + error), .count(line.peakPer100Milliseconds),
                Words("+" + MetricText.rounded(Double(line.peakAtMilliseconds) / 1_000, places: 1) + " s"),
                Words(bytes),
            ])
        }
    }
}
