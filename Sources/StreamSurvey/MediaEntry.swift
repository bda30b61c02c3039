import AdServing
import HLS

/// The media playlist that a stream is looked at by, and what the multivariant playlist says besides.
struct MediaEntry: Sendable {
    /// Absolute; may be asked.
    let url: String
    /// Nil where the stream's address is that of the media playlist.
    let ladder: Ladder?
    /// For what the media playlist imports.
    let variables: [String: String]

    /// Finds the first variant, which a viewer plays where nothing else is said.
    ///
    /// - Parameters:
    ///   - reading: The stream's first playlist.
    ///   - hosts: Takes down where it leads.
    /// - Throws: `SurveyFailure` where no variant may be asked.
    init(_ reading: SurveyReader.Reading, hosts: inout HostBook) throws(SurveyFailure) {
        guard case .multivariant(let playlist) = reading.playlist else {
            (url, ladder, variables) = (reading.url, nil, [:])
            return
        }
        var ladder = Ladder(variants: playlist.variants.count)
        let media = playlist.variants.map { hosts.saw($0.uri, in: reading.url, as: "media playlists") }
        for rendition in playlist.renditions {
            guard let uri = rendition.uri else { continue }
            hosts.saw(uri, in: reading.url, as: "media playlists")
            if rendition.type == .audio { ladder.audioRenditions += 1 }
            if rendition.type == .subtitles { ladder.subtitleRenditions += 1 }
        }
        if let steering = playlist.contentSteering {
            hosts.saw(steering.serverURI, in: reading.url, as: "content steering")
            ladder.pathways = playlist.pathways.count
        }
        for line in playlist.otherTags where line.hasPrefix("#EXT-X-SESSION-KEY:") {
            if let uri = KeyTag(line).uri { hosts.saw(uri, in: reading.url, as: "keys") }
        }
        guard let first = media.first else {
            throw SurveyFailure(.unusable, "the multivariant playlist names no variant")
        }
        guard let url = first else {
            let names = hosts.hosts.filter { !$0.isAllowed && $0.places.contains("media playlists") }.map(\.name)
            let options = names.map { "--allow-host \($0)" }.joined(separator: " ")
            throw SurveyFailure(
                .unusable,
                names.isEmpty
                    ? "the multivariant playlist names media playlists at addresses that cannot be asked"
                    : "the media playlists are on \(names.joined(separator: ", ")), which was not asked; "
                        + "if you answer for it too, say \(options)"
            )
        }
        self.url = url
        self.ladder = ladder
        variables = (try? VariableScope.exported(by: playlist, url: reading.url)) ?? [:]
    }
}
