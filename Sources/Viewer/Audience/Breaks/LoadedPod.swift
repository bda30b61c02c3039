package import HLS

/// Media playlist of a pod or asset; `url` is the base of its references.
package final class LoadedPod: Sendable {
    package let playlist: MediaPlaylist
    package let url: String
    package let content: AdTimeline
    private let memory: KeptMemory?

    package init(_ playlist: MediaPlaylist, url: String, account: (any MemoryAccount)? = nil) {
        self.playlist = playlist
        self.url = url
        self.content = AdTimeline(playlist)
        self.memory = KeptMemory(playlist.keptBytes, account)
    }
}
