import AdServing

enum RequestKind: Int, CaseIterable {
    case playlist
    case segment
    /// Ads of a break: a pod, an asset list, an asset.
    case ads
    case registration
    /// Unrelated to viewers.
    case other
}

struct RequestSorting: Sendable {
    private static let playlistEnding = ending(of: ".m3u8".utf8)
    private static let segmentEndings = [
        ".ts", ".m4s", ".mp4", ".m4a", ".m4v", ".aac", ".mp3", ".ac3", ".ec3", ".vtt", ".webvtt", ".cmfv", ".cmfa",
        ".cmft",
    ].map { ending(of: $0.utf8) }

    /// The user's additional paths of ads.
    var adPaths: [PathPattern] = []
    /// Paths of the programme; empty: all.
    var channelPaths: [PathPattern] = []

    /// Classifies a request; sets `facts.breakName` if the path has the break's name.
    func kind(of request: LoggedRequest, _ facts: inout QueryFacts) -> RequestKind {
        let path = request.path
        guard request.method == .get else {
            return request.method == .post && Self.isRegistration(path) ? .registration : .other
        }
        if facts.asksForAds || adPaths.contains(where: { $0.place(in: path) != nil }) { return .ads }
        let ending = Self.ending(of: path)
        let isPlaylist = ending == Self.playlistEnding
        if isPlaylist || path.begins(with: "/linear/pods/"), let name = Self.podName(in: path) {
            facts.breakName = name
            return .ads
        }
        guard isPlaylist || Self.segmentEndings.contains(ending) else { return .other }
        guard channelPaths.isEmpty || channelPaths.contains(where: { $0.place(in: path) != nil }) else { return .other }
        return isPlaylist ? .playlist : .segment
    }

    /// `/ssai/pods/api/v1/network/…/stream` of Google's pod serving, `/v1/session/…` of MediaTailor.
    private static func isRegistration(_ path: LineBytes) -> Bool {
        path.begins(with: "/ssai/pods/api/v1/network/") && path.ends(with: "/stream")
            || path.begins(with: "/v1/session/")
    }

    /// Name of a pod after `/ad_break_id/`, or its number after `/pod/`.
    private static func podName(in path: LineBytes) -> LineBytes? {
        let named = path.place(of: "/ad_break_id/").map { path.part(from: $0 + 13) }
        let numbered = path.place(of: "/pod/").map { path.part(from: $0 + 5) }
        guard let rest = named ?? numbered, named != nil || rest.first.map(LineBytes.isDigit) == true else {
            return nil
        }
        let piece = rest.part(0, rest.place(of: UInt8(ascii: "/")) ?? rest.count)
        let name = piece.ends(with: ".m3u8") ? piece.part(0, piece.count - 5) : piece
        return name.isEmpty ? nil : name
    }

    /// Up to seven letters after the last point, in lower case, packed into a word; 0 without a point that near to the end.
    private static func ending(of path: some BidirectionalCollection<UInt8>) -> UInt64 {
        var ending: UInt64 = 0
        for byte in path.reversed().prefix(8) {
            switch byte {
            case UInt8(ascii: "."): return ending
            case UInt8(ascii: "/"): return 0
            default: ending = ending << 8 | UInt64(LineBytes.lower(byte))
            }
        }
        return 0
    }
}
