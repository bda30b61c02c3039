/// What a request asks for.
enum RequestKind: Int, CaseIterable {
    case playlist
    case segment
    /// The ads of a break: a pod, an asset list, an asset.
    case ads
    case registration
    /// What says nothing of who watches.
    case other
}

/// Tells by their addresses what requests ask for.
struct RequestSorting: Sendable {
    /// Further paths of what is asked for ads.
    var adPaths: [PathGlob] = []
    /// Paths of the programme; empty: all.
    var channelPaths: [PathGlob] = []

    /// Sorts a request.
    ///
    /// - Parameters:
    ///   - request: It.
    ///   - facts: What its query says; gets the break's name where the path has it.
    /// - Returns: The kind.
    func kind(of request: LoggedRequest, _ facts: inout QueryFacts) -> RequestKind {
        let path = request.path
        guard request.method == .get else {
            return request.method == .post && Self.isRegistration(path) ? .registration : .other
        }
        if facts.asksForAds || adPaths.contains(where: { $0.occurs(in: path) }) { return .ads }
        let isPlaylist = path.ends(with: ".m3u8") || path.ends(with: ".M3U8")
        if path.begins(with: "/linear/pods/") || isPlaylist, let name = Self.podName(in: path) {
            facts.breakName = name
            return .ads
        }
        let kind: RequestKind = isPlaylist ? .playlist : Self.isSegment(path) ? .segment : .other
        guard kind != .other, !channelPaths.isEmpty else { return kind }
        return channelPaths.contains { $0.occurs(in: path) } ? kind : .other
    }

    /// `/ssai/pods/api/v1/network/…/stream` of Google's pod serving, `/v1/session/…` of MediaTailor.
    private static func isRegistration(_ path: LineBytes) -> Bool {
        path.begins(with: "/ssai/pods/api/v1/network/") && path.ends(with: "/stream")
            || path.begins(with: "/v1/session/")
    }

    /// What follows `/pod/` or `/ad_break_id/`, as a pod is named there.
    private static func podName(in path: LineBytes) -> LineBytes? {
        let start: Int
        if let place = path.place(of: "/ad_break_id/") {
            start = place + 13
        } else if let place = path.place(of: "/pod/"), place + 5 < path.count, LineBytes.isDigit(path[place + 5]) {
            start = place + 5
        } else {
            return nil
        }
        let piece = path.part(start, path.place(of: UInt8(ascii: "/"), from: start) ?? path.count)
        let name = piece.ends(with: ".m3u8") ? piece.part(0, piece.count - 5) : piece
        return name.isEmpty ? nil : name
    }

    /// Endings of up to seven letters in one word each, as ``isSegment(_:)`` makes it.
    private static let segmentEndings: Set<UInt64> = Set(
        [
            "ts", "m4s", "mp4", "m4a", "m4v", "aac", "mp3", "ac3", "ec3", "vtt", "webvtt", "cmfv", "cmfa", "cmft",
        ]
        .map { $0.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    )

    private static func isSegment(_ path: LineBytes) -> Bool {
        var ending: UInt64 = 0
        var place = path.count
        while place > 0, path.count - place < 8 {
            place -= 1
            switch path[place] {
            case UInt8(ascii: "."): return segmentEndings.contains(ending)
            case UInt8(ascii: "/"): return false
            default: ending = ending << 8 | UInt64(LineBytes.lower(path[place]))
            }
        }
        return false
    }
}
