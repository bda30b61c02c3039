import HLS
import Values

@testable import Viewer

enum AnswerBody {
    static let multivariant = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=800000
        v0/media.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=400000
        v1/media.m3u8

        """

    static let oneVariant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8\n"

    /// Answer of a target in order; live playlists have six segments of two seconds, from `version` on.
    static func ordinary(_ request: ScriptedTransport.Request, version: Int) -> String {
        switch request.role {
        case .registration: registration(request.viewer)
        case .multivariant: multivariant
        case .playlist, .blockingPlaylist: media(100 + version)
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: pod()
        case .metadata: "{}"
        case .assetList, .assetManifest, .segment, .part, .podSegment, .verification, .beacon, .steering,
            .sessionUpdate, .key, .preflight:
            ""
        }
    }

    static func streamID(_ viewer: Int = 0) -> String { "00000000-0000-4000-8000-00000000000\(viewer):TUL" }

    /// Answer to a registration with these members of `more`; `validity` is its `valid_for`.
    static func registration(_ viewer: Int = 0, validity: String? = "8h0m0s", _ more: [String: String] = [:]) -> String
    {
        var members = [
            "stream_id": streamID(viewer),
            "metadata_url": "http://127.0.0.1:8080/metadata/\(viewer)",
            "media_verification_url": "http://127.0.0.1:8080/verify/\(viewer)/",
            "manifestUrl": "/live/main/multivariant.m3u8?aws.sessionId=\(viewer)",
        ]
        members["valid_for"] = validity
        members.merge(more) { $1 }
        let texts = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
        return #"{"polling_frequency":10,\#(texts.joined(separator: ","))}"#
    }

    /// A discontinuity at a second of the channel from which on program dates are later by some seconds.
    struct DateJump {
        var at: Double
        var by: Double
    }

    /// Live playlist of segments that are named as they are counted.
    ///
    /// `first` is the media sequence number, and `date` that of the first segment in seconds of the run; `isSparse` leaves dates
    /// to the first segment and those after discontinuities.
    static func media(
        _ first: Int,
        _ count: Int = 6,
        seconds: Double = 2,
        target: Int = 2,
        header: String = "",
        date: Double? = nil,
        jumps: [DateJump] = [],
        isSparse: Bool = false,
        name: (Int) -> String = { "\($0).m4s" }
    ) -> String {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + header
        let gone = jumps.count { jump in date.map { jump.at < $0 } ?? false }
        if gone > 0 { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(gone)\n" }
        for number in first..<first + count {
            if let date {
                let second = date + Double(number - first) * seconds
                let isDiscontinuous = jumps.contains { $0.at == second }
                if isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
                let shift = jumps.reduce(0) { $1.at <= second ? $0 + $1.by : $0 }
                if !isSparse || isDiscontinuous || number == first { text += dateTag(second + shift) }
            }
            text += "#EXTINF:\(Self.plain(seconds)),\n\(name(number))\n"
        }
        return text
    }

    /// A number without decimals where it has none, which need no version of the playlist.
    private static func plain(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }

    static func date(_ seconds: Double) -> String {
        (ScriptedCrowd.wallStart + .microseconds(Int64((seconds * 1e6).rounded()))).iso8601
    }

    /// Date range of a break that is named after its second of the run.
    static func breakTag(at seconds: Double, id: String? = nil, lasting: Int = 10) -> String {
        let id = id ?? "break-\(Int(seconds))"
        return "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date(seconds))\","
            + "PLANNED-DURATION=\(lasting),SCTE35-OUT=0xFC00\n"
    }

    static func dateTag(_ seconds: Double) -> String { "#EXT-X-PROGRAM-DATE-TIME:\(date(seconds))\n" }

    /// Pod of one segment for each ad, each ad after a discontinuity.
    static func pod(_ seconds: [Double] = [5, 5], folder: String = "ads", segment: String = "mp4") -> String {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n"
        for (index, length) in seconds.enumerated() {
            text += index == 0 ? "" : "#EXT-X-DISCONTINUITY\n"
            text += "#EXTINF:\(plain(length)),\n/\(folder)/\(index).\(segment)\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// Metadata that list media ids of a break's ads, which are counted from 0.
    static func metadata(
        _ tags: [(id: String, ad: Int, type: String)],
        ads: [Int] = [0, 1],
        of breakID: String = "break-1795291220"
    ) -> String {
        let tags = tags.map { #""\#($0.id)":{"ad":"a\#($0.ad)","ad_break_id":"\#(breakID)","type":"\#($0.type)"}"# }
        let ads = ads.map { #""a\#($0)":{"ad_break_id":"\#(breakID)","seq":\#($0 + 1)}"# }
        return #"{"tags":{\#(tags.joined(separator: ","))},"ads":{\#(ads.joined(separator: ","))}}"#
    }
}

extension MediaPlaylist {
    static func parsed(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not a media playlist")
        }
        return playlist
    }
}

extension MultivariantPlaylist {
    static func parsed(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not a multivariant playlist")
        }
        return playlist
    }
}

/// Live channel with dates: the text of its playlist at any moment.
struct ScriptedChannel {
    static let base = "http://127.0.0.1:8080/live/main/v0/"

    var target = 4
    var segmentSeconds = 4.0
    var window = 6
    /// Seconds from the end of a segment to its being listed.
    var delay = 0.0
    /// Seconds at which the channel stops bringing news, and the time that it then takes.
    var outage: Range<Double> = 0..<0
    /// Lines before the first segment.
    var header = ""
    var hasDates = true
    var dateJump: AnswerBody.DateJump?
    /// Added to media sequence numbers.
    var firstSequence = 0

    /// Text at a second of the run: segments are counted from 0 at `window` segments before the start.
    func text(at seconds: Double) -> String {
        let seen = outage.contains(seconds) ? outage.lowerBound : seconds
        let end = window + Int(((seen - delay) / segmentSeconds).rounded(.down))
        let first = end - window
        return AnswerBody.media(
            first,
            window,
            seconds: segmentSeconds,
            target: target,
            header: header,
            date: hasDates ? Double(first - window) * segmentSeconds : nil,
            jumps: dateJump.map { [$0] } ?? []
        ).replacing("SEQUENCE:\(first)\n", with: "SEQUENCE:\(end + firstSequence)\n")
    }
}
