import AdServing
import HLS
import Rules
import Values
import Viewer

/// Thousands of viewers play the same few ads: an equal body costs one comparison.
final class AssetLibrary {
    /// Limit for targets that give each session assets of its own.
    private static let keptURLs = 128
    private static let keptPods = 256

    private let account: BodyBudget?
    private var known: [String: (body: [UInt8], content: BreakAnswer.Content)] = [:]
    /// Fingerprints of valid pods, without viewers' own ids.
    private var cleanPods: Set<UInt64> = []

    init(account: BodyBudget? = nil) { self.account = account }

    /// Ignores queries, since URLs that differ only by them mostly have equal answers.
    func content(_ body: UnsafeRawBufferPointer, url: String) throws(PlaylistError) -> BreakAnswer.Content {
        let name = String(url.prefix { $0 != "?" && $0 != "#" })
        // References that have no query of their own never inherit the base's, but an empty reference would.
        if let last = known[name], last.body.equals(body) { return last.content }
        let content: BreakAnswer.Content
        switch try Playlist.parse(body) {
        case .multivariant(let playlist): content = .multivariant(SharedMultivariant(playlist, url: url))
        case .media(let playlist): content = .media(LoadedPod(playlist, url: url, account: account))
        }
        known.keep((Array(body), content), for: name, atMost: Self.keptURLs)
        return content
    }

    /// `own` is the id that may differ between viewers.
    func violations(in body: UnsafeRawBufferPointer, own: StreamID, url: String) -> [Violation] {
        let fingerprint = MaskedBody.fingerprint(body, own: own)
        if cleanPods.contains(fingerprint) { return [] }
        let violations = PlaylistChecks.violations(in: body, url: url)
        guard violations.isEmpty else { return violations }
        cleanPods.keep(fingerprint, atMost: Self.keptPods)
        return []
    }
}

/// One viewer reads each ad segment for all; bodies are large, so the number held at one time is limited.
final class AdSegmentLibrary {
    /// Keyed by the hash of the content at a URL.
    private var known: [UInt64: SegmentMediaIDs] = [:]
    /// Keyed by initialisation section.
    private var timescales: [UInt64: [UInt32: UInt32]] = [:]
    private var readings = 0
    private let carried = CarriedMediaIDs()

    private static let maximumReadings = 64
    private static let keptSegments = 8_192

    /// `mayRead`: the viewer is in the share that reads.
    func asked(_ address: UInt64, mayRead: Bool) -> AdSegmentRequest {
        let mediaIDs = known[address] ?? SegmentMediaIDs(carried)
        if known[address] == nil { known.keep(mediaIDs, for: address, atMost: Self.keptSegments) }
        let reads = mayRead && readings < Self.maximumReadings && mediaIDs.claim()
        if reads { readings += 1 }
        return AdSegmentRequest(address: address, mediaIDs: mediaIDs, reads: reads)
    }

    /// `initialization` is the section that the viewer loaded before.
    func answered(_ request: AdSegmentRequest, body: UnsafeRawBufferPointer?, initialization: UInt64?) {
        guard request.reads else { return }
        readings -= 1
        guard let body, !body.isEmpty else { return request.mediaIDs.release() }
        let clock = initialization.flatMap { timescales[$0] } ?? [:]
        let metadata = TimedMetadata(reading: body, timescales: clock)
        if !metadata.timescales.isEmpty {
            timescales.keep(metadata.timescales, for: request.address, atMost: Self.keptSegments)
        }
        // These frames also carry metadata of other uses.
        let cues = metadata.texts.filter { $0.text.hasPrefix(WireName.mediaIDPrefix) }.map {
            MediaIDCue($0.text, offsetMicroseconds: $0.offsetMicroseconds ?? 0)
        }
        request.mediaIDs.tell(cues)
    }

    func isInitialization(_ address: UInt64) -> Bool { timescales[address] != nil }
}

struct AdSegmentRequest {
    let address: UInt64
    let mediaIDs: SegmentMediaIDs
    let reads: Bool
    var breakSerial: UInt16 = 0
    /// That of the request.
    var index: UInt8 = 0
}

/// Ids that metadata lists and the target has recorded for some viewer are whole.
final class RecordedMediaIDs {
    private static let mostIDs = 4_096

    private var hashes: Set<UInt64> = []

    func add(_ url: String) {
        guard hashes.count < Self.mostIDs else { return }
        hashes.insert(Self.hash(ofIDIn: url))
    }

    func has(_ url: String) -> Bool { hashes.contains(Self.hash(ofIDIn: url)) }

    /// The part before the last slash is the session's own.
    private static func hash(ofIDIn url: String) -> UInt64 {
        RunHash.value(of: String(url[(url.lastIndex(of: "/").map(url.index(after:)) ?? url.startIndex)...]))
    }
}

final class SteeringLibrary {
    /// `steering` is nil if players cannot use the body.
    typealias Content = (steering: SharedSteering?, violations: [Violation])

    /// Limit for targets that give each session a steering server of its own.
    private static let keptManifests = 16

    private var known: [String: (body: [UInt8], channel: SharedMultivariant, content: Content)] = [:]

    func content(_ body: UnsafeRawBufferPointer, url: String, of channel: SharedMultivariant) -> Content {
        if let last = known[url], last.channel === channel, last.body.equals(body) { return last.content }
        let (playlist, own) = (channel.playlist, channel.ownPathways)
        let steering = (try? SteeringManifest.parse(body)).map { manifest in
            let extended = SharedMultivariant.extended(playlist, by: manifest, url: channel.url, ownPathways: own)
            return SharedSteering(manifest, url: url, channel: extended)
        }
        let violations = SteeringChecks.violations(in: body, pathways: playlist.pathways, own: own)
        let content: Content = (steering, violations)
        known.keep((Array(body), channel, content), for: url, atMost: Self.keptManifests)
        return content
    }
}
