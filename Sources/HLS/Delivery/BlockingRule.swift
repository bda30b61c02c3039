/// How far a live playlist is, as blocking requests need to know it.
package struct PlaylistEdge: Hashable, Sendable {
    /// The media sequence number that the next complete segment will have.
    package var endMediaSequence: UInt64
    /// Parts of that segment that are listed already.
    package var trailingParts: UInt64
    /// Parts of the last complete segment; nil when the playlist lists none.
    package var partsOfLastSegment: UInt64?

    package init(endMediaSequence: UInt64, trailingParts: UInt64 = 0, partsOfLastSegment: UInt64? = nil) {
        self.endMediaSequence = endMediaSequence
        self.trailingParts = trailingParts
        self.partsOfLastSegment = partsOfLastSegment
    }

    package init(of playlist: MediaPlaylist) {
        endMediaSequence = playlist.endMediaSequence
        trailingParts = playlist.trailingPartCount
        let last = playlist.segments.count - 1
        let count = playlist.parts.reversed()
            .drop { $0.segmentIndex > last }
            .prefix { $0.segmentIndex == last }.count
        partsOfLastSegment = count == 0 ? nil : UInt64(count)
    }
}

/// What a server does with a blocking playlist request (bis-22 section 6.2.5.2).
package enum BlockingRule: Hashable, Sendable {
    /// The playlist has what was asked for, or has ended.
    case deliver
    /// The answer waits for the next version; 503 after ``longestHold(targetDurationSeconds:)``.
    case hold
    /// 400: too far ahead.
    case badRequest

    /// By how many parts a request may run ahead of the last one listed: the Advance Part Limit.
    package static func advancePartLimit(partTargetMicroseconds: Int64) -> UInt64 {
        guard (1..<1_000_000).contains(partTargetMicroseconds) else {
            return 3
        }
        return UInt64((3_000_000 + partTargetMicroseconds - 1) / partTargetMicroseconds)
    }

    /// How long a request is held before the answer is 503.
    package static func longestHold(targetDurationSeconds: Int) -> Duration {
        .seconds(3) * max(0, targetDurationSeconds)
    }

    /// What to do with these directives at this edge.
    package static func decide(
        _ directives: DeliveryDirectives,
        at edge: PlaylistEdge,
        partTargetMicroseconds: Int64?,
        hasEndList: Bool = false
    ) -> BlockingRule {
        guard let asked = directives.mediaSequence, !hasEndList else {
            return .deliver
        }
        // Greater than the last number plus two, which is the end plus one.
        guard asked <= edge.endMediaSequence.addingClamped(1) else {
            return .badRequest
        }
        guard let part = directives.part else {
            return asked < edge.endMediaSequence ? .deliver : .hold
        }
        if asked < edge.endMediaSequence {
            return decideInside(asked, part, edge)
        }
        let limit = advancePartLimit(partTargetMicroseconds: partTargetMicroseconds ?? 0)
        let ahead: UInt64 =
            if asked == edge.endMediaSequence {
                part.addingClamped(1).subtractingClamped(edge.trailingParts)
            } else {
                (edge.partsOfLastSegment ?? edge.trailingParts).subtractingClamped(edge.trailingParts)
                    .addingClamped(part).addingClamped(1)
            }
        guard ahead > 0 else {
            return .deliver
        }
        return ahead > limit ? .badRequest : .hold
    }

    /// A part of a segment that is complete: one past its end is part 0 of the next segment.
    private static func decideInside(_ asked: UInt64, _ part: UInt64, _ edge: PlaylistEdge) -> BlockingRule {
        let isLast = asked == edge.endMediaSequence - 1
        guard isLast, let count = edge.partsOfLastSegment, part >= count else {
            return .deliver
        }
        return edge.trailingParts > 0 ? .deliver : .hold
    }
}

/// Finding the live edge behind caches (bis-22 appendix C).
package enum CDNTuneIn {
    /// How much media the answer lacks, from its Age header; nil when it is current.
    ///
    /// `age` is the Age header in whole seconds. Below a part target of one second a second is added, since Age is
    /// rounded down.
    package static func goal(ageSeconds: Int?, partTargetMicroseconds: Int64) -> Duration? {
        guard let ageSeconds, ageSeconds > 0 else {
            return nil
        }
        return .seconds(min(ageSeconds, 86_400) + (partTargetMicroseconds < 1_000_000 ? 1 : 0))
    }

    /// The request that should bring `goal` more media than `playlist` has.
    ///
    /// `elapsed` is the time since the answer came, which the goal grows by. Nil once less than a part is lacking, or
    /// where the server does not offer blocking reload.
    package static func directives(
        goal: Duration,
        elapsed: Duration = .zero,
        playlist: MediaPlaylist
    ) -> DeliveryDirectives? {
        guard var next = DeliveryDirectives.next(after: playlist), let target = playlist.partTargetMicroseconds,
            target > 0, playlist.targetDurationSeconds > 0
        else {
            return nil
        }
        let missing = (goal + elapsed).wholeMicroseconds
        guard missing >= target else {
            return nil
        }
        let segment = Int64(playlist.targetDurationSeconds) * 1_000_000
        let perSegment = UInt64(max(1, segment / target))
        // The first missing part is the one that `next` names already.
        let parts = (next.part ?? 0).addingClamped(UInt64(clamping: missing / target) - 1)
        next.mediaSequence = next.mediaSequence.map { $0.addingClamped(parts / perSegment) }
        next.part = parts % perSegment
        return next
    }
}
