import Audience
import Conformance
import HLS

/// Which media playlists are of one channel, as the multivariant playlists that a loop has read say.
struct ChannelMembers {
    /// A media playlist's part in its channel.
    struct Member {
        let kind: RenditionKind
        /// URL of the playlist that it is held beside: the channel's first variant.
        let reference: String
    }

    /// Channels have a few; a target that names new ones for each session must not fill the memory.
    private static let limit = 1_024

    private var members: [String: Member] = [:]

    /// Takes note of a channel's playlists; the first variant of each pathway is what the others there are held beside.
    mutating func learn(_ channel: SharedMultivariant) {
        if members.count > Self.limit { members.removeAll() }
        var references: [String?: String] = [:]
        for index in channel.variantURLs.indices {
            guard let url = channel.variantURLs[index] else { continue }
            let pathway = channel.playlist.variants[index].pathwayID
            let reference = references[pathway] ?? url
            references[pathway] = reference
            members[url] = Member(kind: .variant, reference: reference)
            let audio = channel.url(of: .audio, variant: index)
            if !audio.isEmpty { members[audio] = Member(kind: .audio, reference: reference) }
            let subtitles = channel.url(of: .subtitles, variant: index)
            if !subtitles.isEmpty { members[subtitles] = Member(kind: .subtitles, reference: reference) }
        }
    }

    /// What a playlist is held beside; nil for one that the others are held beside, or of no known channel.
    func member(_ url: String) -> Member? {
        guard let member = members[url], member.reference != url else { return nil }
        return member
    }
}
