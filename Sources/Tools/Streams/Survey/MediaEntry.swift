import AdServing
import HLS
import Rules

/// Media playlists that a survey may follow, and other facts from the multivariant playlist.
struct MediaEntry: Sendable {
    struct Variant: Sendable {
        /// Position in the multivariant playlist, from 1.
        var number: Int
        var url: String
    }

    /// Limit on variants that are tried in vain; an assumption.
    static let mostTried = 4

    /// Never empty; distinct URLs, in the order of the multivariant playlist, which puts the default variant first.
    let variants: [Variant]
    /// Nil if the stream's URL is that of a media playlist.
    let ladder: Ladder?
    /// Variables that media playlists may import.
    let variables: [String: String]

    /// Collects the variants and adds all hosts to `hosts`; fails if no variant may be asked.
    init(_ reading: SurveyReader.Reading, hosts: inout HostList) throws(StreamFailure) {
        guard case .multivariant(let playlist) = reading.playlist else {
            (variants, ladder, variables) = ([Variant(number: 1, url: reading.url)], nil, [:])
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
            if let uri = KeyTag(ArraySlice(line.utf8)).uri { hosts.saw(uri, in: reading.url, as: "keys") }
        }
        guard !media.isEmpty else {
            throw StreamFailure(.unusable, "the multivariant playlist names no variant")
        }
        var known: Set<String> = []
        variants = media.enumerated().compactMap { place, url in
            url.flatMap { known.insert($0).inserted ? Variant(number: place + 1, url: $0) : nil }
        }
        guard !variants.isEmpty else {
            let names = hosts.hosts.filter { !$0.isAllowed && $0.places.contains("media playlists") }.map(\.name)
            let options = names.map { "--allow-host \($0)" }.joined(separator: " ")
            throw StreamFailure(
                .unusable,
                names.isEmpty
                    ? "the multivariant playlist names media playlists at addresses that cannot be asked"
                    : "the media playlists are on \(names.joined(separator: ", ")), which was not asked; "
                        + "if you answer for it too, say \(options)"
            )
        }
        self.ladder = ladder
        variables = (try? VariableScope.exported(by: playlist, url: reading.url)) ?? [:]
    }
}
