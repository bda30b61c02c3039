import AdServing
import HLS
import Profile
import Transport

@testable import Tools

/// Streams as a survey would have seen them, from playlists that are written here.
enum Streams {
    static let base = "https://live.example.com/channel/media.m3u8"

    static func address(_ text: String = "https://live.example.com/channel/multivariant.m3u8") throws -> StreamAddress {
        try StreamAddress(text)
    }

    /// What comes of versions of a media playlist, one after the other.
    static func facts(
        _ versions: String...,
        address: String = "https://live.example.com/channel/multivariant.m3u8",
        allowing allowed: [String] = []
    ) throws -> StreamFacts { try facts(versions.map { Array($0.utf8) }, address: address, allowing: allowed) }

    static func facts(_ versions: [[UInt8]], address text: String, allowing allowed: [String] = []) throws
        -> StreamFacts
    {
        let address = try address(text)
        let permitted = AuthorisedHosts([address.origin.host] + allowed, of: [address.url], headersAlsoTo: [])
        var facts = StreamFacts(address, allowed: permitted)
        var newest: MediaPlaylist?
        for version in versions {
            guard case .media(let playlist) = try Playlist(parsing: version) else { continue }
            facts.take(playlist, isUpdate: newest.map { playlist.isUpdate(of: $0) } ?? true, base: base)
            newest = playlist
        }
        struct NoMedia: Error {}
        guard newest != nil else { throw NoMedia() }
        return facts
    }

    /// A live media playlist with lines of its own between header and segments.
    static func media(_ lines: String = "", sequence: Int = 100, segment: String = "s") -> String {
        let segments = (0..<6).map { "#EXTINF:4.000,\n\(segment)\(sequence + $0).ts\n" }
        return """
            #EXTM3U
            #EXT-X-VERSION:9
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:\(sequence)
            \(lines)
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
            \(segments.joined())
            """
    }

    static let interstitials = media(
        """
        #EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-11-21T20:00:08.000Z",DURATION=10,\
        X-ASSET-LIST="https://ads.example.net/list?b=a"
        #EXT-X-DATERANGE:ID="b",CLASS="com.apple.hls.interstitial",START-DATE="2026-11-21T20:00:38.000Z",DURATION=10,\
        X-ASSET-LIST="https://ads.example.net/list?b=b"
        """
    )

    static let dateRanges = media(
        """
        #EXT-X-DATERANGE:ID="p1",CLASS="com.example.programme",START-DATE="2026-11-21T20:00:00.000Z",DURATION=3600
        #EXT-X-DATERANGE:ID="b1",CLASS="com.example.break",START-DATE="2026-11-21T20:00:08.000Z",PLANNED-DURATION=30,\
        SCTE35-OUT=0xFC3025
        #EXT-X-DATERANGE:ID="b2",CLASS="com.example.break",START-DATE="2026-11-21T20:05:08.000Z",PLANNED-DURATION=30,\
        SCTE35-OUT=0xFC3025
        """
    )
}

/// A draft, and the plan that it comes to where its variables are exported.
struct Drafted {
    let draft: ProfileDraft
    let plan: LoadPlan

    init(_ facts: StreamFacts, _ options: DraftOptions, environment: [String: String] = [:]) throws {
        draft = try ProfileDraft(facts, options)
        let values = environment.merging(draft.secrets.map { ($0.variable, $0.value) }) { given, _ in given }
        let surroundings = ProfileSurroundings(environmentVariable: { values[$0] }, hasFile: { _ in true })
        plan = try ProfileReader(surroundings: surroundings).read(yaml: draft.text, path: options.file)
    }
}

extension LoadPlan {
    /// Address of the channel, of a target that is an address.
    var contentURL: String? { if case .urlTemplates(let plan) = target { plan.target.content } else { nil } }

    var podServing: PodServingPlan? { if case .podServing(let target) = target { target } else { nil } }

    var mediaTailor: MediaTailorPlan? { if case .mediaTailor(let target) = target { target } else { nil } }
}
