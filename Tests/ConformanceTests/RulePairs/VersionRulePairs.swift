/// Rules of what a version of a playlist may change.
enum VersionRulePairs {
    static func pairs() throws -> [RulePair] {
        [
            try .versions(
                "6.2.1",
                "a segment keeps its URI (6.3.4: as it resolves)",
                "./segment-104.m4s",
                "other.m4s",
                "segment_changed"
            ) { $0.uris[104] = $1 ? "other.m4s" : "./segment-104.m4s" },
            try .versions(
                "6.2.1",
                "a segment keeps its duration",
                "2.000 and 2.001",
                "2.000 and 1.9",
                "segment_duration_changed"
            ) { $0.durations[104] = $1 ? "1.9" : "2.001" },
            try .versions(
                "6.2.1",
                "a listed segment gets no discontinuity",
                "a new segment has one",
                "a listed one gets one",
                "discontinuity_changed"
            ) {
                $0.tags[$1 ? 104 : 108] = ["#EXT-X-DISCONTINUITY"]
            },
            try .versions("6.2.1", "the target duration stays", "2 and 2", "2 and 3", "target_duration_changed") {
                if $1 { $0.targetDuration += 1 }
            },
            try .versions(
                "6.2.1",
                "segments leave from the beginning only",
                "the first leaves",
                "the last two leave",
                "playlist_shrunk"
            ) { if $1 { $0.count -= 3 } },
            try .versions(
                "6.2.2",
                "EXT-X-MEDIA-SEQUENCE does not decrease",
                "100 and 101",
                "100 and 5",
                "media_sequence_backwards"
            ) { if $1 { $0.mediaSequence = 5 } },
            try .versions(
                "6.2.3",
                "a key does not appear over listed segments",
                "before a new segment",
                "before a listed one",
                "segment_attributes_changed"
            ) {
                $0.tags[$1 ? 104 : 108] = ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""]
            },
            try .versions(
                "6.2.3",
                "a key does not vanish from listed segments",
                "it stays",
                "it is gone",
                "segment_attributes_changed",
                from: encrypted
            ) { if $1 { $0.header = [] } },
            try .versions(
                "6.2.3",
                "a key does not become NONE over listed segments",
                "it stays",
                "METHOD=NONE",
                "segment_attributes_changed",
                from: encrypted
            ) { if $1 { $0.header = ["#EXT-X-KEY:METHOD=NONE"] } },
            try .versions(
                "6.2.1",
                "a listed segment keeps its date",
                "the same date",
                "five seconds later",
                "program_date_jump"
            ) { if $1 { $0.shift = 5 } },
            try .versions(
                "6.2.1",
                "a listed segment keeps its EXT-X-GAP",
                "a new segment has it",
                "a listed one gets it",
                "segment_attributes_changed"
            ) { $0.tags[$1 ? 104 : 108] = ["#EXT-X-GAP"] },
            try .versions(
                "6.2.2",
                "discontinuities that leave are counted",
                "EXT-X-DISCONTINUITY-SEQUENCE:1",
                "no count",
                "discontinuity_sequence_missing",
                from: marked
            ) { $0.discontinuitySequence = $1 ? nil : 1 },
            try .versions(
                "6.2.2",
                "the count of discontinuities fits",
                "4 and 5",
                "4 and 4",
                "discontinuity_sequence_wrong",
                from: marked.changed { $0.discontinuitySequence = 4 }
            ) {
                $0.discontinuitySequence = $1 ? 4 : 5
            },
        ]
    }

    private static let encrypted = LiveVersion().changed { $0.header = ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""] }
    private static let marked = LiveVersion().changed { $0.tags[100] = ["#EXT-X-DISCONTINUITY"] }
}
