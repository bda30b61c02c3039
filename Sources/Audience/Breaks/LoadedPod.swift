package import HLS

/// A pod's or an asset's media playlist and the URL that its references resolve against.
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
