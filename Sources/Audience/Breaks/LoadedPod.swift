package import HLS

/// A pod's or an asset's media playlist and the URL that its references resolve against.
package final class LoadedPod: Sendable {
    package let playlist: MediaPlaylist
    package let url: String
    package let content: AdTimeline

    package init(_ playlist: MediaPlaylist, url: String) {
        self.playlist = playlist
        self.url = url
        self.content = AdTimeline(playlist)
    }
}
