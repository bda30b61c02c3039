import AdServing
package import HLS

/// Parsed once for all viewers of a loop.
package final class SharedMultivariant: Sendable {
    package let playlist: MultivariantPlaylist
    package let url: String
    /// Nil if the playlist names a steering server, or has no steering.
    package let inlineSteering: SharedSteering?
    /// Absolute, in the playlist's order; nil for invalid references.
    package let variantURLs: [String?]
    /// Variables that its media playlists may import.
    package let exports: [String: String]
    package let ownPathways: [String]
    /// Audio and subtitle playlists of each variant; empty without one.
    private let audioURLs: [String]
    private let subtitlesURLs: [String]

    /// `ownPathways` are those without the ones that a steering manifest adds; nil for a playlist as it came.
    package init(_ playlist: MultivariantPlaylist, url: String, ownPathways: [String]? = nil) {
        self.playlist = playlist
        self.ownPathways = ownPathways ?? playlist.pathways
        self.url = url
        exports = playlist.variables(url: url)
        inlineSteering = Self.inlineSteering(of: playlist, url: url)
        variantURLs = playlist.variants.map { URLReference.resolve($0.uri, against: url) }
        let chosenURLs = playlist.chosenRenditions.mapValues { rendition in
            rendition.uri.flatMap { URLReference.resolve($0, against: url) } ?? ""
        }
        func chosen(_ type: MultivariantPlaylist.Rendition.Kind, _ group: String?) -> String {
            group.flatMap { chosenURLs[RenditionGroup(type: type, id: $0)] } ?? ""
        }
        audioURLs = playlist.variants.map { chosen(.audio, $0.audioGroup) }
        subtitlesURLs = playlist.variants.map { chosen(.subtitles, $0.subtitlesGroup) }
    }

    private static func inlineSteering(of playlist: MultivariantPlaylist, url: String) -> SharedSteering? {
        guard let steering = playlist.contentSteering, DataURI.isOne(steering.serverURI) else { return nil }
        guard let manifest = try? SteeringManifest.parse(dataURI: steering.serverURI) else { return nil }
        let extended = Self.extended(playlist, by: manifest, url: url, ownPathways: playlist.pathways)
        return SharedSteering(manifest, url: nil, channel: extended)
    }

    /// Channel with the pathways that a manifest adds; nil if it adds none.
    package static func extended(
        _ playlist: MultivariantPlaylist,
        by manifest: SteeringManifest,
        url: String,
        ownPathways: [String]
    ) -> SharedMultivariant? {
        let extended = playlist.adding(manifest.pathwayClones, base: url)
        guard extended.variants.count != playlist.variants.count else { return nil }
        var unsteered = extended
        unsteered.contentSteering = nil
        return SharedMultivariant(unsteered, url: url, ownPathways: ownPathways)
    }

    /// Nil without content steering.
    package var firstPathway: String? {
        guard let steering = playlist.contentSteering else { return nil }
        let pathways = playlist.pathways
        return steering.pathwayID.flatMap { pathways.contains($0) ? $0 : nil } ?? pathways.first
    }

    package func variants(onPathway pathway: String?) -> [Int] {
        playlist.variants.indices.filter { pathway == nil || playlist.variants[$0].pathwayID == pathway }
    }

    /// Matches by stable id, else by position on the pathway.
    package func variant(like index: Int, onPathway pathway: String) -> Int? {
        let variants = playlist.variants
        guard variants.indices.contains(index) else { return nil }
        let candidates = self.variants(onPathway: pathway).filter { variantURLs[$0] != nil }
        if let id = variants[index].stableID, let found = candidates.first(where: { variants[$0].stableID == id }) {
            return found
        }
        let own = self.variants(onPathway: variants[index].pathwayID).firstIndex(of: index) ?? 0
        return candidates.indices.contains(own) ? candidates[own] : candidates.first
    }

    /// Empty if the rendition has no playlist of its own.
    package func url(of rendition: PlayedRendition, variant: Int) -> String {
        guard variantURLs.indices.contains(variant) else { return "" }
        return switch rendition {
        case .video: variantURLs[variant] ?? ""
        case .audio: audioURLs[variant]
        case .subtitles: subtitlesURLs[variant]
        }
    }
}

private struct RenditionGroup: Hashable {
    let type: MultivariantPlaylist.Rendition.Kind
    let id: String
}

extension MultivariantPlaylist {
    /// Selection of each group (RFC 8216 section 4.3.4.1): the default, else the first with AUTOSELECT, else the first.
    fileprivate var chosenRenditions: [RenditionGroup: Rendition] {
        let inGroups = renditions.map { (RenditionGroup(type: $0.type, id: $0.groupID), $0) }
        return Dictionary(inGroups) { $0.preference >= $1.preference ? $0 : $1 }
    }
}

extension MultivariantPlaylist.Rendition {
    fileprivate var preference: Int { isDefault ? 2 : isAutoselect ? 1 : 0 }
}

/// Read once for all viewers of a loop with an equal one.
package final class SharedSteering: Sendable {
    package let manifest: SteeringManifest
    package let reloadURL: String?
    /// Channel with the pathways that the manifest adds; nil if it adds none.
    package let channel: SharedMultivariant?

    package init(_ manifest: SteeringManifest, url: String?, channel: SharedMultivariant?) {
        (self.manifest, self.channel) = (manifest, channel)
        reloadURL = manifest.reloadURI.flatMap { URLReference.resolve($0, against: url ?? "") } ?? url
    }
}

package enum PlayedRendition: UInt8, CaseIterable, Sendable {
    /// The variant's own playlist, whatever is in it.
    case video
    case audio
    case subtitles
}
