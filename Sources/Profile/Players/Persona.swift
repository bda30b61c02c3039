import Values

/// Behaviour of one player on the wire, read from these facts and never from the name, so that a profile can override each.
package struct Persona: Sendable, Equatable, ProfileFields {
    package var name = ""
    /// Known player that it derives from, whatever its name.
    package var player: String?
    package var reload = ReloadFacts.usual
    package var lowLatency = LowLatencyFacts.usual
    package var start = StartFacts.usual
    package var interstitials = InterstitialFacts.usual
    package var requests = RequestFacts.usual
    package var pathways = PathwayFacts.usual
    package var outage = OutageFacts.usual
    /// Whether it is a page in a browser, which hands it answers from other origins only with their permission (Fetch standard,
    /// "CORS check").
    package var isInBrowser = false
    package var keys = KeyCaching.channel
    /// Downloads of one viewer at once (RFC 8216 section 10 advises a small number, such as four).
    package var maximumDownloads = 4
    /// Facts without a good source, such as `interstitials.retries`.
    package var unconfirmed: [String] = []

    package static let fields = FieldList(Persona(), showsDefaults: false) { f in
        f.add("reload", \.reload, .section)
        f.add("lowLatency", \.lowLatency, .section)
        f.add("start", \.start, .section)
        f.add("interstitials", \.interstitials, .section)
        f.include(\.requests)
        f.add("pathways", \.pathways, .section)
        f.add("outage", \.outage, .section)
        f.add("browser", \.isInBrowser, .boolean)
        f.add("keys", \.keys, .choice)
        f.add("maximumDownloads", \.maximumDownloads, .integer(1...64))
    }
}

/// Scope of a player's memory of keys (EXT-X-KEY of KEYFORMAT `identity`).
package enum KeyCaching: String, Sendable, CaseIterable {
    /// One request for each key.
    case channel
    /// Each rendition requests it.
    case rendition
    /// Each segment requests it.
    case segment
}

package struct PersonaShare: Sendable, Equatable {
    package var persona: Persona
    /// Relative weight.
    package var share: Double

    package init(_ persona: Persona, share: Double) { (self.persona, self.share) = (persona, share) }
}

package struct ReloadFacts: Sendable, Equatable, ProfileFields {
    package enum Basis: String, Sendable, CaseIterable {
        /// Duration of the last segment (bis-22 section 6.3.4).
        case lastSegment = "last-segment"
        /// The target duration (RFC 8216 section 6.3.4).
        case targetDuration = "target-duration"
        /// Target duration, or the last segment if shorter and playback is within four target durations of the live edge
        /// (hls.js).
        case shorterNearEdge = "shorter-near-edge"
    }

    package enum Unchanged: String, Sendable, CaseIterable {
        case halfTarget = "half-target"
        case lastSegment = "last-segment"
    }

    package enum Clock: String, Sendable, CaseIterable {
        case loadStart = "load-start"
        /// From the end of the last load, so the cadence drifts by a round trip.
        case completion
        /// Completion less an exponentially weighted mean of past load times.
        case smoothedCompletion = "smoothed-completion"
    }

    package var afterChange = Basis.lastSegment
    package var unchanged = Unchanged.halfTarget
    package var clock = Clock.loadStart
    package var loadsRenditionsTogether = false
    package var stuckAfterTargets: Double? = nil

    // Read at each poll, where the list's own would be found by its type.
    package static let usual = ReloadFacts()

    package static let fields = FieldList(usual, showsDefaults: false) { f in
        f.add("afterChange", \.afterChange, .choice)
        f.add("unchanged", \.unchanged, .choice)
        f.add("clock", \.clock, .choice)
        f.add("renditionsTogether", \.loadsRenditionsTogether, .boolean)
        f.add("stuckAfter", \.stuckAfterTargets, .orNever(.number(0...1000)))
    }
}

/// Use of delivery directives (bis-22 section 6.2.5).
package struct LowLatencyFacts: Sendable, Equatable, ProfileFields {
    package enum Skip: String, Sendable, CaseIterable {
        case never
        /// While the playlist in hand is younger than half the skip boundary (bis-22 section 6.3.7).
        case whenYoung = "when-young"
        case always
    }

    package enum Blocking: String, Sendable, CaseIterable {
        case never
        /// If the server offers it.
        case always
        /// If the server offers it and the last load advanced.
        case afterAdvance = "after-advance"
    }

    package var blocking = Blocking.never
    package var skip = Skip.never
    package var skipsDateRanges = false
    package var dropsDirectivesAfterTargets: Double? = nil
    package var retriesWithoutDirectives = true
    package var loadsHints = false
    package var usesRenditionReports = false
    /// Whether all parameters are sorted (bis-22 section 6.2.5), instead of appending directives; caches treat the two
    /// orders as different URLs.
    package var sortsParameters = true
    /// Limit in target durations for tuning in (bis-22 appendix C); nil requests all that is missing.
    package var tuneInTargets: Double? = nil
    package var retryWait: Duration? = nil

    package static let fields = FieldList(LowLatencyFacts(), showsDefaults: false) { f in
        f.add("blocking", \.blocking, .choice)
        f.add("skip", \.skip, .choice)
        f.add("skipsDateRanges", \.skipsDateRanges, .boolean)
        f.add("dropsDirectivesAfter", \.dropsDirectivesAfterTargets, .orNever(.number(0...1000)))
        f.add("retriesWithoutDirectives", \.retriesWithoutDirectives, .boolean)
        f.add("hints", \.loadsHints, .boolean)
        f.add("renditionReports", \.usesRenditionReports, .boolean)
        f.add("sortsParameters", \.sortsParameters, .boolean)
        f.add("tuneInTargets", \.tuneInTargets, .orNever(.number(0...1000)))
        f.add("retryWait", \.retryWait, .duration(.zero ... .seconds(600)))
    }
}

package struct StartFacts: Sendable, Equatable, ProfileFields {
    package enum Point: String, Sendable, CaseIterable {
        /// EXT-X-START, then (PART-)HOLD-BACK, then `targets` target durations from the edge.
        case startTagThenHoldBack = "start-tag-then-hold-back"
        /// (PART-)HOLD-BACK, then `targets` target durations.
        case holdBack = "hold-back"
        /// HOLD-BACK, then the sum of the last `targets` segments.
        case holdBackThenSegments = "hold-back-then-segments"
    }

    package var point = Point.startTagThenHoldBack
    package var targets = 3.0

    package static let fields = FieldList(StartFacts(), showsDefaults: false) { f in
        f.add("point", \.point, .choice)
        f.add("targets", \.targets, .number(0...100))
    }
}

package struct InterstitialFacts: Sendable, Equatable, ProfileFields {
    package enum Trigger: Sendable, Equatable {
        /// The primary is buffered up to the break (bis-22 appendix D.1).
        case buffered
        /// As `buffered`; or, live, to within a target duration of the edge while the break is less than `lookAhead` past it
        /// (hls.js).
        case bufferedOrEdge(lookAhead: Duration)
        case playheadTargets(Double)
        case playhead(Duration)
        /// The break is listed in a playlist.
        case discovery
        case never
    }

    package enum Preload: String, Sendable, CaseIterable {
        case ignored
        /// Uniformly random point of the preload range (bis-22 appendix F).
        case randomPoint = "random-point"
        case rangeStart = "range-start"
    }

    /// Players differ where dates jump at a discontinuity.
    package enum Dates: String, Sendable, CaseIterable {
        /// The date of the EXT-X-PROGRAM-DATE-TIME whose segments it lies in, else the last one (bis-22 section 4.4.4.6).
        case coveringTag = "covering-tag"
        /// First one of the playlist that lists the range, once for each ID.
        case firstTag = "first-tag"
        /// First one of the first playlist.
        case firstPlaylist = "first-playlist"
    }

    package var trigger = Trigger.buffered
    package var preload = Preload.ignored
    package var dates = Dates.coveringTag
    package var sendsPrimaryID = true
    package var sendsStartOffset = true
    package var loadsOneListAtATime = false
    package var loadsAssetsTogether = false
    package var readsTextDurations = true
    package var resolvesAssets = true
    package var leavesOutIncomplete = false
    package var sendsBeacons = true

    package static let fields = FieldList(InterstitialFacts(), showsDefaults: false) { f in
        f.add("trigger", \.trigger, .words(Trigger.known, spell: \.word))
        f.add("lookAhead", \.trigger.lookAhead, .duration(.zero ... .seconds(600)))
        f.add("leadTargets", \.trigger.leadTargets, .number(0...100))
        f.add("lead", \.trigger.lead, .duration(.zero ... .seconds(600)))
        f.add("preload", \.preload, .choice)
        f.add("dates", \.dates, .choice)
        f.add("primaryID", \.sendsPrimaryID, .boolean)
        f.add("startOffset", \.sendsStartOffset, .boolean)
        f.add("oneListAtATime", \.loadsOneListAtATime, .boolean)
        f.add("assetsTogether", \.loadsAssetsTogether, .boolean)
        f.add("textDurations", \.readsTextDurations, .boolean)
        f.add("relativeAssets", \.resolvesAssets, .boolean)
        f.add("incompleteAssets", \.leavesOutIncomplete, .boolean)
        f.add("beacons", \.sendsBeacons, .boolean)
    }

    package mutating func settle(_ section: ProfileSection) {
        let owners = ["lookAhead": "buffered-or-edge", "leadTargets": "playhead-targets", "lead": "playhead"]
        for (key, owner) in owners {
            section[key, "trigger", if: section.has(key) && trigger.word != owner] =
                "belongs to trigger \(owner) alone, and the trigger is \(trigger.word)"
        }
    }
}

/// Use of a channel's pathways (bis-22 section 7).
package struct PathwayFacts: Sendable, Equatable, ProfileFields {
    package var followsSteering = true
    package var penalty = Duration.seconds(120)

    package static let fields = FieldList(PathwayFacts(), showsDefaults: false) { f in
        f.add("steering", \.followsSteering, .boolean)
        f.add("penalty", \.penalty, .duration(.zero ... .seconds(3_600)))
    }
}
