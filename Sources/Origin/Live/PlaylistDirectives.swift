import HLS

/// Delivery directives of a request for a media playlist (bis-22 section 6.2.5).
struct PlaylistDirectives: Sendable, Equatable {
    static let none = PlaylistDirectives()

    /// `_HLS_msn`.
    var segment: UInt64?
    /// `_HLS_part`, less than the parts of a segment.
    var part: Int?
    var delta: PlaylistVersion.Delta?
    var view: UInt64 = 0

    var isNone: Bool { self == .none }
    var blocks: Bool { segment != nil }
}

extension PlaylistDirectives {
    /// Parses the directives that a channel offers and ignores others; nil for a part without its segment or an invalid number.
    static func read(_ query: FormFields, offered plan: LowLatencyPlan?, parts: Int) -> PlaylistDirectives? {
        guard let plan, !query.pairs.isEmpty else { return PlaylistDirectives.none }
        var directives = PlaylistDirectives()
        if plan.deltaUpdates != .none, let skip = query[DeliveryDirectives.skipParameter] {
            guard let skip = DeliveryDirectives.Skip(rawValue: skip) else { return nil }
            directives.delta = PlaylistVersion.Delta(
                skipsDateRanges: skip == .segmentsAndDateRanges && plan.deltaUpdates == .dateRanges
            )
        }
        guard plan.blocking else { return directives }
        let partText = query[DeliveryDirectives.partParameter]
        guard let segmentText = query[DeliveryDirectives.mediaSequenceParameter] else {
            return partText == nil ? directives : nil
        }
        guard let segment = UInt64(segmentText), segment < .max else { return nil }
        directives.segment = segment
        guard let partText else { return directives }
        guard let part = UInt32(partText) else { return nil }
        guard parts > 0 else { return directives }
        // An index past the last part of a segment is the first part of the next one.
        directives.segment = part < parts ? segment : segment + 1
        directives.part = part < parts ? Int(part) : 0
        return directives
    }

    /// Whether the requested segment is too far ahead of the edge, so that the channel must refuse to wait.
    func isTooFar(beyond edge: LiveEdge, timeline: ChannelTimeline) -> Bool {
        guard let segment else { return false }
        if segment > edge.newest &+ 2 { return true }
        guard let part, let length = timeline.partMicroseconds, segment > edge.newest else { return false }
        let parts = timeline.partsPerSegment
        let ahead = Int(segment - edge.newest - 1) * parts + part - (edge.parts - 1)
        return ahead > Int(BlockingRule.advancePartLimit(partTargetMicroseconds: length))
    }
}
