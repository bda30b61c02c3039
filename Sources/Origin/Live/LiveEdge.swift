import HLS

/// Position of the live channel: its newest complete segment and the complete parts of the next one.
struct LiveEdge: Hashable, Comparable, Sendable {
    let newest: UInt64
    /// 0 for a channel without parts.
    var parts = 0

    static func < (left: LiveEdge, right: LiveEdge) -> Bool {
        (left.newest, left.parts) < (right.newest, right.parts)
    }

    func includes(segment: UInt64, part: Int?) -> Bool {
        if newest >= segment { return true }
        guard let part, segment == newest &+ 1 else { return false }
        return parts > part
    }
}

extension ChannelTimeline {
    /// 0 for a channel without parts.
    var partsPerSegment: Int {
        guard let partMicroseconds, partMicroseconds > 0 else { return 0 }
        return Int(Int64(segmentSeconds) * 1_000_000 / partMicroseconds)
    }

    /// Nil before the first segment is complete.
    func edge(at now: WallTime) -> LiveEdge? {
        guard let newest = newestSegment(at: now) else { return nil }
        guard let partMicroseconds, partMicroseconds > 0 else { return LiveEdge(newest: newest) }
        let progress = now.microseconds - programDate(of: newest + 1).microseconds
        return LiveEdge(newest: newest, parts: Int(progress / partMicroseconds))
    }

    func publication(of edge: LiveEdge) -> WallTime {
        programDate(of: edge.newest &+ 1) + .microseconds((partMicroseconds ?? 0) &* Int64(edge.parts))
    }

    func completion(ofSegment segment: UInt64, part: Int?) -> WallTime {
        guard let part, let partMicroseconds, part < partsPerSegment else { return programDate(of: segment &+ 1) }
        return programDate(of: segment) + .microseconds(partMicroseconds &* Int64(part + 1))
    }

    func listing(at edge: LiveEdge) -> ListedWindow {
        ListedWindow(timeline: self, segments: window(newest: edge.newest), edge: publication(of: edge))
    }
}

extension ChannelTimeline {
    func edge(after edge: LiveEdge) -> LiveEdge {
        edge.parts + 1 < partsPerSegment
            ? LiveEdge(newest: edge.newest, parts: edge.parts + 1) : LiveEdge(newest: edge.newest &+ 1)
    }
}
