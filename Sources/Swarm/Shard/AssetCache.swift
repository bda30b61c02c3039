import HLS

/// The playlists of ad assets that were answered lately on this loop, already parsed.
///
/// Thousands of viewers play the same few ads: a body equal to the last one of its URL costs one comparison. Confined to
/// its loop.
final class AssetCache {
    enum Content {
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
    }

    /// A target that gives each session assets of its own must not fill the memory.
    private static let keptURLs = 128

    private var known: [String: (body: [UInt8], content: Content)] = [:]

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
        if let known = self.known[name], known.body.equals(body) {
            return known.content
        }
        let content: Content
        switch try Playlist.parse(body) {
        case .multivariant(let playlist): content = .multivariant(SharedMultivariant(playlist, url: url))
        case .media(let playlist): content = .media(LoadedPod(playlist, url: url))
        }
        if self.known.count >= Self.keptURLs {
            self.known.removeAll()
        }
        self.known[name] = (Array(body), content)
        return content
    }
}
