import HLS
import HTTPTypes
import Profile
import Values

struct MultivariantListing: Sendable {
    let described: MultivariantPlaylist
    let text: [UInt8]

    init(_ configuration: OriginConfiguration, plan: ChannelPlan, playlist: LivePlaylist, clips: ClipLibrary) {
        let listing = VariantListing(
            variantCount: configuration.variantCount,
            segmentSeconds: playlist.timeline.segmentSeconds,
            clip: clips.live
        )
        let paths: [(pathway: String?, prefix: String)] =
            plan.steering.map { steering in
                steering.pathways.map { ($0, OwnPath(pathway: $0, rest: "/live/\(OriginConfiguration.channel)/").text) }
            } ?? [(nil, "")]
        var multivariant = MultivariantPlaylist(
            version: max(7, plan.variables.multivariantVersion),
            independentSegments: true
        )
        multivariant.head.definitions = Self.definitions(plan.variables, token: playlist.tokenValue)
        if let steering = plan.steering, let first = steering.pathways.first {
            multivariant.contentSteering = ContentSteering(serverURI: SteeringService.path, pathwayID: first)
        }
        for (pathway, prefix) in paths {
            let suffix = pathway.map { "-\($0)" } ?? ""
            multivariant.renditions += Self.renditions(plan.renditions, group: suffix) {
                playlist.withToken("\(prefix)\($0.name)/media.m3u8")
            }
            multivariant.variants += zip(listing.profiles, listing.variants).map { profile, described in
                var variant = described
                variant.uri = playlist.withToken("\(prefix)\(profile.rawValue)/media.m3u8")
                if !plan.renditions.audio.isEmpty { variant.audioGroup = "audio\(suffix)" }
                if !plan.renditions.subtitles.isEmpty { variant.subtitlesGroup = "subtitles\(suffix)" }
                if let pathway { variant.pathwayID = pathway }
                return variant
            }
        }
        described = multivariant
        text = multivariant.render()
    }

    /// Variable at the start of media playlists' URIs, relative to a media playlist.
    static let base = ".."

    private static func definitions(_ plan: VariablesPlan, token: String) -> [VariableDefinition] {
        let variables = [(plan.base, base), (plan.token, token)]
        return variables.compactMap { name, value in name.map { .value(name: $0, value: value) } }
    }

    private static func renditions(
        _ plan: RenditionsPlan,
        group suffix: String,
        uri: (LiveRendition) -> String
    ) -> [MultivariantPlaylist.Rendition] {
        let audio = plan.audio.enumerated().map { place, language in
            var rendition = MultivariantPlaylist.Rendition(type: .audio, groupID: "audio\(suffix)", name: language)
            (rendition.uri, rendition.language) = (uri(.audio(language: language)), language)
            (rendition.isDefault, rendition.isAutoselect) = (place == 0, true)
            rendition.otherAttributes = ["CHANNELS": .quoted("1")]
            return rendition
        }
        let subtitles = plan.subtitles.map { language in
            var rendition = MultivariantPlaylist.Rendition(
                type: .subtitles,
                groupID: "subtitles\(suffix)",
                name: language
            )
            (rendition.uri, rendition.language) = (uri(.subtitles(language: language)), language)
            rendition.isAutoselect = true
            return rendition
        }
        return audio + subtitles
    }
}

struct VariantListing: Sendable {
    let profiles: [ClipProfile]
    /// Without URIs.
    let variants: [MultivariantPlaylist.Variant]

    init(variantCount: Int, segmentSeconds: Int, clip: (ClipProfile) -> ClipFile) {
        profiles = Array(ClipProfile.allCases.prefix(variantCount))
        variants = profiles.map { profile in
            let file = clip(profile)
            let weights = file.weights(ofRuns: segmentSeconds)
            // The largest segment's rate (RFC 8216 4.3.4.2).
            var variant = MultivariantPlaylist.Variant(uri: "", bandwidth: weights.largest * 8 / segmentSeconds)
            variant.averageBandwidth = weights.total * 8 / ClipFile.secondsPerLoop
            variant.codecs = ClipFile.codecs
            (variant.width, variant.height) = (profile.width, profile.height)
            variant.frameRate = Double(ClipProfile.frameRate)
            return variant
        }
    }

    func text(isEmpty: Bool = false, uri: (ClipProfile) -> String) -> [UInt8] {
        let listed = zip(profiles, variants).map { profile, variant in
            var variant = variant
            variant.uri = uri(profile)
            return variant
        }
        var playlist = MultivariantPlaylist(version: 7, independentSegments: true)
        playlist.variants = isEmpty ? [] : listed
        return playlist.render()
    }
}

/// `/pathways/{pathway}/s/{session}/linear/…`: a pathway serves the whole channel a second time (bis-22 section 7.1), and
/// sessions are named as in stitchers.
struct OwnPath: Sendable {
    private static let (pathwayMark, sessionMark) = ("/pathways/", "/s/")

    var pathway: String?
    /// As spelt.
    var session: String?
    /// From a slash on.
    let rest: String

    var text: String {
        (pathway.map { Self.pathwayMark + $0 } ?? "") + (session.map { Self.sessionMark + $0 } ?? "") + rest
    }

    /// Base of relative addresses, without the session.
    private var folder: String {
        let end = rest.lastIndex(of: "/").map(rest.index(after:)) ?? rest.startIndex
        return OwnPath(pathway: pathway, rest: String(rest[..<end])).text
    }

    /// Unchanged if absolute or outside of the folder.
    func absolute(_ address: String) -> String {
        let isElsewhere = address.hasPrefix("/") || address.hasPrefix("..") || address.hasPrefix("{")
        return isElsewhere || address.contains("://") ? address : folder + address
    }

    /// A session in the path is replaced.
    static func put(_ session: String, before path: String) -> String {
        var own = OwnPath(path)
        own.session = session
        return own.text
    }
}

extension OwnPath {
    init(_ path: String) {
        let pathway = Self.split(path, after: Self.pathwayMark)
        let session = Self.split(pathway?.rest ?? path, after: Self.sessionMark)
        self.init(pathway: pathway?.name, session: session?.name, rest: session?.rest ?? pathway?.rest ?? path)
    }

    private static func split(_ path: String, after mark: String) -> (name: String, rest: String)? {
        guard let after = path.rest(after: mark), let slash = after.firstIndex(of: "/") else { return nil }
        return (String(after[..<slash]), String(after[slash...]))
    }
}

/// Content steering manifest (bis-22 section 7.2).
struct SteeringService: Sendable {
    static let path = "/steering/\(OriginConfiguration.channel).json"

    let plan: SteeringPlan
    let seed: UInt64

    func priority(at now: WallTime) -> [String] {
        guard let step = plan.switchEvery, step > .zero else { return plan.pathways }
        let turns = max(0, now.microseconds) / step.wholeMicroseconds
        let first = Int(turns % Int64(plan.pathways.count))
        return Array(plan.pathways[first...] + plan.pathways[..<first])
    }

    /// Decided anew after each `retryAfter`.
    func refuses(viewer: UInt64, at now: WallTime) -> Bool {
        guard plan.tooMany > 0 else { return false }
        let turn = UInt64(max(0, now.microseconds) / max(1, plan.retryAfter.wholeMicroseconds))
        return SeededHash(seed: seed, "steering", viewer, turn).unitInterval < plan.tooMany
    }

    /// 429 has a Retry-After.
    func answer(viewer: UInt64, at now: WallTime, form: SteeringForm = .own) -> Answer {
        guard !refuses(viewer: viewer, at: now) else {
            var answer = Answer.empty(.tooManyRequests)
            answer.fields[.retryAfter] = String(plan.retryAfter.components.seconds)
            return answer
        }
        let pathways = priority(at: now) + (form == .withStrangePathway ? [SteeringForm.strangePathway] : [])
        let names = pathways.map { "\"\($0)\"" }.joined(separator: ",")
        let timeToLive = form == .withoutTimeToLive ? "" : "\"TTL\":\(plan.ttl.components.seconds),"
        let text =
            "{\"VERSION\":1,\(timeToLive)\"RELOAD-URI\":\"\(Self.path)\","
            + "\"PATHWAY-PRIORITY\":[\(names)]}\n"
        return Answer(contentType: .json, caching: .none, body: text.utf8)
    }
}
