import AdServing
import Audience
import Conformance
import HLS

/// The playlists of pods and ad assets that were answered lately on this loop.
///
/// Thousands of viewers play the same few ads: a body equal to the last one of its URL costs one comparison. Confined to
/// its loop.
final class AssetLibrary {
    enum Content {
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
    }

    /// A target that gives each session assets of its own must not fill the memory.
    private static let keptURLs = 128
    private static let keptPods = 256

    private let account: (any MemoryAccount)?
    private var known: [String: (body: [UInt8], content: Content)] = [:]
    /// Fingerprints of pods that keep the rules: viewers' own ids aside they are the same for all.
    private var cleanPods: Set<UInt64> = []

    /// - Parameter account: Counts the memory of what is kept; nil where nobody does.
    init(account: (any MemoryAccount)? = nil) {
        self.account = account
    }

    /// The playlist in a body that a URL answered with.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - url: The URL that answered; URLs that differ by their queries alone mostly answer alike.
    /// - Returns: The playlist, shared with all viewers that got an equal body of this URL.
    /// - Throws: What is wrong with a body that is no playlist.
    func content(_ body: UnsafeRawBufferPointer, url: String) throws(PlaylistError) -> Content {
        let name = String(url.prefix { $0 != "?" && $0 != "#" })
        // References that have no query of their own never inherit the base's, but an empty reference would.
        if let last = known[name], last.body.equals(body) { return last.content }
        let content: Content
        switch try Playlist.parse(body) {
        case .multivariant(let playlist): content = .multivariant(SharedMultivariant(playlist, url: url))
        case .media(let playlist): content = .media(LoadedPod(playlist, url: url, account: account))
        }
        if known.count >= Self.keptURLs {
            known.removeAll()
        }
        known[name] = (Array(body), content)
        return content
    }

    /// The rules that the playlist of a pod or asset breaks; equal ones that break none are read once for all viewers.
    ///
    /// - Parameters:
    ///   - body: The playlist.
    ///   - own: The id that may differ between viewers.
    ///   - url: Where it came from.
    /// - Returns: The violations in this viewer's own body.
    func violations(in body: UnsafeRawBufferPointer, own: StreamID, url: String) -> [Violation] {
        let fingerprint = MaskedBody.fingerprint(body, own: own)
        if cleanPods.contains(fingerprint) { return [] }
        let violations = PlaylistChecks.violations(in: body, url: url)
        guard violations.isEmpty else { return violations }
        if cleanPods.count >= Self.keptPods { cleanPods.removeAll() }
        cleanPods.insert(fingerprint)
        return []
    }
}
