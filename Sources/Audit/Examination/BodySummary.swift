import AdServing
import HLS
import Recording

/// Short texts of pods and asset lists: totals, then the end of each ad's path and its length.
///
/// Hosts, queries and session parts are omitted, so the text is equal for all viewers of one body.
enum BodySummary {
    static func text(of list: AssetList, own: StreamID?) -> String {
        var summary = ContentSummary()
        summary.add("\(list.assets.count) assets")
        for asset in list.assets where !summary.isFull {
            let length = asset.duration.nanosecondsHeld / 1_000_000
            summary.add("\(Redaction.name(of: asset.uri, own: own)) \(length) ms")
        }
        return summary.text
    }

    /// Segments that are known only by name, such as those of a stitched break.
    static func text(ofSegments names: [String]) -> String {
        var summary = ContentSummary()
        summary.add("\(names.count) segments")
        for name in names where !summary.isFull { summary.add(name) }
        return summary.text
    }

    /// Discontinuities separate the ads.
    static func text(of media: MediaPlaylist, own: StreamID?) -> String {
        var summary = ContentSummary()
        summary.add("\(media.segments.count) segments, \(media.durationMicroseconds / 1_000) ms")
        var index = 0
        while index < media.segments.count, !summary.isFull {
            let first = index
            var length: Int64 = 0
            repeat {
                length = length.addingClamped(media.segments[index].durationMicroseconds)
                index += 1
            } while index < media.segments.count && !media.segments[index].isDiscontinuity
            let name = Redaction.name(of: media.uri(of: media.segments[first]), own: own)
            summary.add("\(name) \(length / 1_000) ms in \(index - first)")
        }
        return summary.text
    }
}

enum SharedName {
    /// The last two path components of a playlist; those before may be an edge's or a session's own.
    static func playlist(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").suffix(2).joined(separator: "/")
    }
}

extension UInt64 {
    /// The first eight hexadecimal digits: enough to distinguish two fingerprints in a report.
    var shortHex: String {
        let text = String(self, radix: 16)
        return String((String(repeating: "0", count: 16 - text.count) + text).prefix(8))
    }
}
