/// Describes a body that is not a playlist.
///
/// Never quotes it: an error page or a message may contain a session, an address or a name of its viewer.
enum BodyKind {
    private static let byteOrderMark = "\u{FEFF}"
    private static let searchedBytes = 512
    /// Tags at the beginning of playlists, valid or not.
    private static let firstTags: Set<String> = [
        "#EXTM3U", "#EXTM3U8", "#EXTINF", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE",
        "#EXT-X-STREAM-INF", "#EXT-X-MEDIA", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-PROGRAM-DATE-TIME",
    ]

    /// The kind of a body with its length, such as "HTML (1532 bytes)".
    static func words(for body: UnsafeRawBufferPointer) -> String {
        guard !body.isEmpty else { return "an empty body" }
        let mark = Array(byteOrderMark.utf8)
        guard body.starts(with: mark) else { return "\(kind(of: body)) (\(body.count) bytes)" }
        return "the bytes EF BB BF before \(kind(of: UnsafeRawBufferPointer(rebasing: body[mark.count...])))"
    }

    private static func kind(of body: UnsafeRawBufferPointer) -> String {
        let start = body.prefix(searchedBytes)
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let spaces = start.prefix(while: isSpace)
        let text = start.dropFirst(spaces.count)
        if let name = magic(of: text) { return name }
        if start.contains(where: { $0 < 0x20 && !isSpace($0) || $0 == 0x7F }) { return "binary data" }
        let before =
            spaces.isEmpty
            ? "" : spaces.contains { $0 == 0x0A || $0 == 0x0D } ? "an empty line before " : "a space before "
        return before + textKind(of: text)
    }

    private static func magic(of body: Slice<UnsafeRawBufferPointer>) -> String? {
        let known: [(bytes: [UInt8], name: String)] = [
            ([0x1F, 0x8B], "gzip data"), (Array("\u{7F}ELF".utf8), "an executable"), (Array("WEBVTT".utf8), "WebVTT"),
            (Array("%PDF".utf8), "PDF"), ([0x47, 0x40], "an MPEG-2 transport stream"),
        ]
        if let name = known.first(where: { body.starts(with: $0.bytes) })?.name { return name }
        let box = body.dropFirst(4).prefix(4)
        return ["ftyp", "styp", "moof", "moov", "sidx"].contains { box.elementsEqual($0.utf8) } ? "MP4" : nil
    }

    private static func textKind(of text: Slice<UnsafeRawBufferPointer>) -> String {
        guard let first = text.first else { return "nothing" }
        switch first {
        case UInt8(ascii: "<"):
            let start = String(decoding: text, as: UTF8.self).lowercased()
            if start.hasPrefix("<!doctype html") || start.contains("<html") { return "HTML" }
            return start.contains("<mpd") ? "a DASH manifest" : start.hasPrefix("<?xml") ? "XML" : "markup"
        case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
        case UInt8(ascii: "#"):
            let name = text.dropFirst().prefix {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
            let tag = "#" + String(decoding: name, as: UTF8.self)
            return firstTags.contains(tag) ? tag : "a comment or an unknown tag"
        default: return "text"
        }
    }
}
