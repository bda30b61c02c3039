import AdServing
import HLS
import Rules
import Viewer

/// Playlists of pods and ad assets that were answered lately on this loop.
///
/// Thousands of viewers play the same few ads: a body equal to the last one of its URL costs one comparison. Confined to its
/// loop.
final class AssetLibrary {
    enum Content {
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
    }

    /// Limit for targets that give each session assets of its own.
    private static let keptURLs = 128
    private static let keptPods = 256

    private let account: (any MemoryAccount)?
    private var known: [String: (body: [UInt8], content: Content)] = [:]
    /// Fingerprints of valid pods, without viewers' own ids.
    private var cleanPods: Set<UInt64> = []

    init(account: (any MemoryAccount)? = nil) {
        self.account = account
    }

    /// Parses a body, or returns the shared playlist of an equal one from this URL.
    ///
    /// Queries are ignored, since URLs that differ only by them mostly have equal answers.
    func content(_ body: UnsafeRawBufferPointer, url: String) throws(PlaylistError) -> Content {
        let name = String(url.prefix { $0 != "?" && $0 != "#" })
        // References that have no query of their own never inherit the base's, but an empty reference would.
        if let last = known[name], last.body.equals(body) { return last.content }
        let content: Content
        switch try Playlist.parse(body) {
        case .multivariant(let playlist): content = .multivariant(SharedMultivariant(playlist, url: url))
        case .media(let playlist): content = .media(LoadedPod(playlist, url: url, account: account))
        }
        known.keep((Array(body), content), for: name, atMost: Self.keptURLs)
        return content
    }

    /// Violations in a pod's or asset's playlist; equal valid ones are checked once for all viewers.
    ///
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
