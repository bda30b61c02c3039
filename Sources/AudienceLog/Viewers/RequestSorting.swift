import AdServing

enum RequestKind: Int, CaseIterable {
    case playlist
    case segment
    /// The ads of a break: a pod, an asset list, an asset.
    case ads
    case registration
    /// Says nothing of who watches.
    case other
}

/// Tells by their addresses what requests ask for.
struct RequestSorting: Sendable {
    private static let playlistEnding = ending(of: ".m3u8".utf8)
    private static let segmentEndings = [
        ".ts", ".m4s", ".mp4", ".m4a", ".m4v", ".aac", ".mp3", ".ac3", ".ec3", ".vtt", ".webvtt", ".cmfv", ".cmfa",
        ".cmft",
    ].map { ending(of: $0.utf8) }

    /// Further paths of requests for ads.
    var adPaths: [PathPattern] = []
    /// Paths of the programme; empty: all.
    var channelPaths: [PathPattern] = []

    /// Sorts a request; its facts get the break's name where the path has it.
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

    /// A pod's name, behind `/ad_break_id/`, or its number behind `/pod/`.
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

    /// Up to seven letters behind the last point, in lower case, in one word; 0 where there is no point so near.
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
