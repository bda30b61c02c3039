package import AdServing
package import Players
import Rulebook
package import Thresholds

/// Everything a run will do, immutable and validated: nothing in it needs checking again.
package struct LoadPlan: Sendable, Equatable {
    package var name: String
    package var summary: String
    /// Every choice by chance in a run derives from this number and the viewer's index.
    package var seed: UInt64
    /// From the first join to the moment when viewers stop; requests in flight are still awaited.
    package var duration: Duration
    package var target: TargetPlan
    package var audience: AudiencePlan
    package var playback: PlaybackPlan
    package var breaks: BreakPlan
    package var pods: PodPlan
    package var connection: ConnectionPlan
    package var generator: GeneratorPlan
    package var windows: WindowPlan
    /// Judged once, at the end.
    package var thresholds: [PlannedThreshold]
    /// Judged while running, once `abortAfter` has passed.
    package var abort: [PlannedThreshold]
    package var abortAfter: Duration
    /// How much of a finding the run may have without failing, by code.
    ///
    /// `*` stands for every unnamed code above advice.
    package var allowedFindings: [String: FindingAllowance]
    /// SHA-256 of the plan's canonical form, lower-case hex: equal for equal plans whatever the spelling.
    package var digest: String
    /// The same of what any target is asked, whichever it is: equal where two targets can be held against each other.
    package var workloadDigest = ""
    package var impressions = ImpressionPlan.allowed
    /// In no digest: a run does the same whatever it says.
    package var channel = ExpectedChannel()
    /// Values that must not leave the process wherever they stand: those the profile takes from the environment, and the
    /// key of the token scheme.
    package var secrets: Set<String> = []
}

/// One threshold with the line of the profile it stands on; 0 for one of an override.
package struct PlannedThreshold: Sendable, Equatable {
    package var rule: ThresholdRule
    package var line: Int
    /// The field of the profile, such as `thresholds[0]`; empty for one that no profile names.
    package var field: String

    package init(rule: ThresholdRule, line: Int = 0, field: String = "") {
        self.rule = rule
        self.line = line
        self.field = field
    }
}

/// What is asked.
package enum TargetPlan: Sendable, Equatable {
    /// The reference origin, started as a child process on a free loopback port.
    case embedded(EmbeddedOriginPlan)
    /// A target in the shape of Google's pod-serving guide.
    case podServing(PodServingPlan)
    case mediaTailor(MediaTailorPlan)
    case eyevinnProxy(EyevinnProxyPlan)
    case urlTemplates(URLTemplatesPlan)
}

/// How the embedded origin is started.
package struct EmbeddedOriginPlan: Sendable, Equatable {
    package var usesTLS: Bool
    package var segmentDuration: Duration
    package var windowSegments: Int
    package var variantCount: Int
    package var adDuration: Duration
    package var announcesBreaks: Bool
    package var sessionValidity: Duration
    package var metadataPollingFrequency: Duration
    /// Relative to the profile's folder; nil plays no fault.
    package var faultPlanPath: String?
    /// What the channel does, relative to the profile's folder; nil for the plain channel.
    package var channelPlanPath: String? = nil
    /// In which of its shapes it is asked.
    package var shape = EmbeddedShape.podServing
    /// Who reports ads in MediaTailor's shapes; nil leaves it to the origin.
    package var reporting: MediaTailorReporting? = nil
    /// The parameter of the registration whose value aims pods; nil gives everybody the same ones.
    package var aimingParameter: String? = nil
    /// How addresses in pods and asset lists are signed; nil leaves them as they are.
    package var signing: EmbeddedSigning? = nil
    package var hasSessionPaths = false
    package var hasSessionPlaylists = false
    package var hasVerificationConflicts = false
    package var mediaIDs = ListedMediaIDs.whole
    package var redirectsMultivariant = false
    package var closesBreaks = false
    /// Whether each viewer is given a cookie of its own.
    package var setsCookies = false
    package var session: SessionPlan
}

/// A live channel and an ad server that are already there.
package struct PodServingPlan: Sendable, Equatable {
    /// URL of the live multivariant or media playlist.
    package var contentURL: String
    /// Scheme and host, such as "https://dai.google.com".
    package var adServer: String
    /// Tried when registration fails on `adServer` with 429, 5xx or no answer.
    package var backupAdServer: String?
    /// Host, host:port or "*.suffix"; besides what the profile names on loopback nothing else is ever fetched.
    package var authorisedHosts: [String]
    /// The guide's metadata lists prefixes.
    package var mediaIDs = ListedMediaIDs.prefixes
    /// Names of the cookies that are one viewer's session, as in a field; nil: those with `session` in their names.
    package var sessionCookies: [String]? = nil
    package var session: SessionPlan
}

/// What a viewer tells the ad server about itself.
package struct SessionPlan: Sendable, Equatable {
    package var networkCode: String
    package var customAssetKey: String
    package var adTagParameters: [String: String]
    /// Key of the pod-serving token scheme; nil sends no token.
    package var authTokenKey: String?
    package var authTokenValidity: Duration
    /// Sent with the pod manifest request.
    package var custParams: String?
    package var scte35: String?
    /// Viewers that tell something else in mid-session; nil: nobody does.
    package var updates: SessionUpdatePlan? = nil
}

/// Who watches, and when they come and go.
package struct AudiencePlan: Sendable, Equatable {
    /// The most who watch at once.
    package var viewers: Int
    /// Joins are spread evenly over this long; zero where there is a curve.
    package var ramp: Duration
    /// Share of the audience that leaves and is replaced each minute, from 0 to 1.
    package var churnPerMinute: Double
    package var pictureInPicture: PictureInPicturePlan
    /// The players that watch, by share; empty where the profile names none.
    package var personas: [PersonaShare] = []
    /// What tells viewers apart besides; empty where the profile names nothing.
    package var traits: [AudienceTrait] = []
    /// Viewers that try to leave an interstitial early; nil: nobody does.
    package var skips: NavigationPlan? = nil
    /// Viewers that seek back in the live window; nil: nobody does.
    package var seeks: NavigationPlan? = nil
    /// How many watch over time; nil: all, after the ramp.
    package var curve: CurvePlan? = nil
    /// Viewers that leave, or begin anew, when nothing is shown; nil: nobody does.
    package var abandonment: AbandonmentPlan? = nil
}

/// Viewers that do not just watch.
package struct NavigationPlan: Sendable, Equatable {
    /// Share of viewers that do it, from 0 to 1.
    package var share: Double
    /// Mean time between two attempts of one viewer.
    package var every: Duration
    /// How far each of them goes; zero where there is nothing to go.
    package var distance: Duration

    package init(share: Double, every: Duration, distance: Duration = .zero) {
        self.share = share
        self.every = every
        self.distance = distance
    }
}

/// Viewers that spend time in picture in picture, where no ad can start (IMA picture-in-picture guide).
package struct PictureInPicturePlan: Sendable, Equatable {
    package enum BreakRule: String, Sendable, CaseIterable {
        /// The break starts when the viewer returns to standard playback, if it is still on.
        case deferred = "defer"
        /// The break is lost to the viewer, as in the code of the IMA picture-in-picture guide.
        case lost = "lose"
    }

    /// Share of viewers that use it, from 0 to 1.
    package var share: Double
    /// Mean time between entries, and how long each stay lasts.
    package var every: Duration
    package var stay: Duration
    package var rule: BreakRule
}

/// What a viewer fetches while it watches.
package struct PlaybackPlan: Sendable, Equatable {
    package enum VariantChoice: String, Sendable, CaseIterable {
        case first
        case highest
        case lowest
        case random
    }

    package enum ReloadBasis: String, Sendable, CaseIterable {
        /// draft-pantos-hls-rfc8216bis section 6.3.4.
        case lastSegment = "last-segment"
        /// RFC 8216 section 6.3.4.
        case targetDuration = "target-duration"
    }

    package enum SegmentChoice: String, Sendable, CaseIterable {
        case none
        case ads
        case content
        case all

        package var includesAds: Bool { self == .ads || self == .all }
        package var includesContent: Bool { self == .content || self == .all }
    }

    /// One and a half that a server may take (bis-22 section 6.2.1), and half of one for a cache before it.
    static let usualStaleAfterTargets = 2.0

    package var variant: VariantChoice
    package var reload: ReloadBasis
    package var segments: SegmentChoice
    package var sendsVerificationPings: Bool
    package var pollsMetadata: Bool
    /// An ad break ends this long after it started, whatever is left of the pod; nil plays it to its end.
    package var playoutLimit: Duration?
    /// Share of merged delta updates that are checked by a full reload at once, from 0 to 1.
    package var verifyDeltaShare: Double = 0
    /// Mean time between two changes of a viewer's variant; nil: it keeps the one it began with.
    package var switchEvery: Duration? = nil
    /// Whether a variant's audio is loaded too, where it is a rendition with its own playlist.
    package var playsAudioRendition = false
    /// Whether a variant's subtitles are loaded.
    package var playsSubtitles = false
    /// Share of viewers that read the media ids in segments of ads, each for all viewers of its loop, from 0 to 1.
    package var timedMetadataShare: Double = 1
    /// Target durations without anything new after which a live playlist is found to stand still.
    package var staleAfterTargets = PlaybackPlan.usualStaleAfterTargets
}

/// Where breaks come from, how they are named and when they are asked for.
package struct BreakPlan: Sendable, Equatable {
    package enum Identifier: String, Sendable, CaseIterable {
        case synchronised
        case sequence
        case guideSample = "guide-sample"
    }

    package enum Trigger: String, Sendable, CaseIterable {
        /// Everybody asks at the break's instant less `lead`.
        case rendezvous
        /// Each viewer asks when its own playhead is `lead` away, give or take `jitter`.
        case playhead
    }

    /// Where the programme goes on after a pod of the viewer's own (AVPlayerInterstitialEvent.resumptionOffset).
    package enum Resumption: String, Sendable, CaseIterable {
        /// As far behind the live edge as before.
        case live
        /// Where it was left: the viewer falls behind by the length of the pod.
        case zero
    }

    package var source: Source
    package var podIdentifier: Identifier
    /// Pattern of a synchronised identifier: {start} epoch seconds, to the nearest, {ordinal}, {id} of the date range.
    package var identifierTemplate: String
    package var podDuration: Duration
    package var trigger: Trigger
    package var lead: Duration
    package var jitter: Duration
    /// How long after the break's instant at the viewer's playhead a pod still is in time.
    package var grace: Duration
    /// So long before a break's instant a viewer without an open connection to the ad server opens one; zero: never.
    package var preconnect: Duration
    package var resumption = Resumption.live
    /// Interstitials that the live playlist schedules are played (bis-22 appendix D).
    package var playsInterstitials = false
    /// Breaks that are stitched into the live playlist are recognised and compared.
    package var recognisesStitched = false
    /// By what addresses segments of ads are known that nothing marks.
    package var stitchedAds: [PathPattern] = []
    /// Whether viewers request no ads.
    package var asksForNoAds: Bool { !playsInterstitials && source == .none }
    /// Whether the profile says `breaks: none`: a run of it tests playlists alone.
    package var areNone: Bool { asksForNoAds && !recognisesStitched }
    /// How far apart starts, ends and lengths of one break may be and still be the same.
    package var announcementTolerance = AnnouncementRule.usualTolerance
}

/// What must be equal between pods, and how often that is tried.
package struct PodPlan: Sendable, Equatable {
    /// Whose pods must be the same for one pod identifier.
    package enum Match: String, Sendable, CaseIterable {
        /// Everybody's.
        case all
        /// Those of viewers whose `cohort` is the same.
        case cohort
        /// Each session's own alone: nobody's is held against another's.
        case session
    }

    /// Whether anything is held against what others of a cohort got.
    package var comparesCohorts: Bool {
        [match, matchStitched ?? match, matchLadder, matchVarying].contains(.cohort)
    }

    /// The trait that every viewer has without the profile naming it.
    package static let personaTrait = "persona"

    /// A frame at 23.976 a second, the longest of what is common: real ads are cut at frames.
    static let usualAdTolerance = Duration.milliseconds(42)

    package var match: Match
    /// The same of breaks that are stitched into the programme; nil: as `match` says.
    package var matchStitched: Match? = nil
    /// The same of the renditions that a pod offers: whoever the ads are aimed at, the encoder's ladder is one.
    package var matchLadder = Match.all
    /// The same of asset lists and assets that may vary (X-CONTENT-MAY-VARY, bis-22 appendix D.2).
    ///
    /// Those that may not are everybody's, whatever the profile says.
    package var matchVarying = Match.session
    /// Names of the traits that make a cohort.
    package var cohort: [String] = []
    /// What of addresses is a session's own besides what is known of it everywhere.
    package var ignoredAddressParts: [AddressPattern] = []
    /// Names of parameters that say what is played, in lower case, whatever such names mean elsewhere.
    package var keptParameters: [String] = []
    /// By what slate is known; empty: as usual.
    package var slate: [SlatePattern.Part] = []
    /// Share of viewers that ask a second time and compare, from 0 to 1.
    package var repeatShare: Double
    /// How far the sum of a pod's segments may be from `pd` before it is a finding.
    package var durationTolerance: Duration
    /// How much further it may be for each ad of the pod.
    package var adTolerance = PodPlan.usualAdTolerance
}

/// How connections are made.
package struct ConnectionPlan: Sendable, Equatable {
    package enum Version: String, Sendable, CaseIterable {
        case http1
        case http2
    }

    /// What carries requests.
    package enum Transport: String, Sendable, CaseIterable {
        /// HTTP/1.1 on podswarm's own exchange, the rest on libcurl.
        case auto
        /// Everything on libcurl.
        case curl
    }

    static let usualHandshakes = 256
    /// Enough to find some of each kind in the traces of a target, and few enough to fill nobody's store.
    static let usualTraceShare = 0.01

    package var version: Version
    package var transport: Transport
    package var verifiesTLS: Bool
    package var caFile: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    package var headers: [String: String]
    /// Who is sent `headers` besides the target's own addresses: host, host:port or "*.suffix".
    package var headerHosts: [String] = []
    package var acceptsCompression: Bool
    /// What players tell CDNs; nil tells nothing.
    package var clientData: ClientDataPlan? = nil
    /// Whether each viewer keeps the cookies that servers set, and sends them back.
    package var keepsCookies = false
    package var sourceAddresses: [String]
    package var connectTimeout: Duration
    package var firstByteTimeout: Duration
    package var totalTimeout: Duration
    package var maximumBodyBytes: Int
    /// Of each kind.
    package var bodyLimits = BodyLimits.usual
    package var maximumRedirects: Int
    /// Connections in the making at most per loop; more wait their turn.
    package var maximumHandshakes: Int
    /// Share of requests that carry a `traceparent`, from 0 to 1; at 0 none does, whatever came before it.
    package var traceShare = ConnectionPlan.usualTraceShare
}

/// Common Media Client Data (CTA-5004): what players tell CDNs with each request.
package struct ClientDataPlan: Sendable, Equatable {
    package enum Carriage: String, Sendable, CaseIterable {
        /// A parameter, which changes the key under which caches keep the answer unless they are told otherwise.
        case query
        case header
    }

    package var carriage: Carriage
    /// Which content it is, with traits in braces; nil does not say it.
    package var contentID: String?

    package init(carriage: Carriage, contentID: String? = nil) {
        self.carriage = carriage
        self.contentID = contentID
    }
}

/// The generator itself: its loops and the budget past which a run is client-limited.
package struct GeneratorPlan: Sendable, Equatable {
    static let usualBodyMemory = 256 << 20
    /// Half the CPU of a paced poll (`lateness` of the benchmarks), and nothing that a player's poll could mean.
    package static let usualSlot = Duration.milliseconds(1)
    static let usualCoreWait = Duration.milliseconds(400)

    /// nil: one per core.
    package var loops: Int?
    /// 99th percentile of planned-to-sent over polls; beyond it the run is client-limited.
    package var maximumLateness: Duration
    /// Longest delay of an event loop.
    package var maximumLoopDelay: Duration
    /// 99th percentile of the time from an answer's last byte to its reading; nil: as `maximumLoopDelay`.
    package var ownMaximumHandling: Duration?
    /// How much of a second a thread of podswarm or of the embedded origin may wait for a core.
    package var maximumCoreWait = GeneratorPlan.usualCoreWait
    package var maximumResidentBytes: Int
    /// What all bodies together may take while they arrive; an answer that needs more is `body_too_large`.
    package var bodyMemoryBytes = GeneratorPlan.usualBodyMemory
    /// The last moments before each planned send are spun instead of slept.
    package var spin: Duration
    /// Polls leave together at whole multiples of it; zero lets each leave at its own instant.
    package var slot = GeneratorPlan.usualSlot

    /// A loop that fires its timers late reads its answers as late.
    package var maximumHandling: Duration { ownMaximumHandling ?? maximumLoopDelay }
}
