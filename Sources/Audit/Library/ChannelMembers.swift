import HLS
import Rules
import Viewer

/// Media playlists of each channel, from the multivariant playlists that a loop has read.
struct ChannelMembers {
    struct Member {
        let kind: RenditionKind
        /// URL of the playlist to compare with: the channel's first variant.
        let reference: String
    }

    /// Limit for targets that name new playlists for each session.
    private static let limit = 1_024

    private var members: [String: Member] = [:]

    /// Adds a channel's playlists; those of each pathway are compared with its first variant.
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

    /// Nil for a first variant, and for playlists of no known channel.
    func member(_ url: String) -> Member? {
        guard let member = members[url], member.reference != url else { return nil }
        return member
    }
}
