/// Contradictions between successive versions of a playlist.
enum VersionFindings {
    static let rows: [FindingCode] = [
        blockingReloadIgnored,
        deltaMismatch,
        discontinuityChanged,
        discontinuitySequenceWrong,
        endlistOnLive,
        mediaSequenceBackwards,
        mediaSequenceJump,
        playlistShrunk,
        playlistStale,
        playlistUnavailable,
        segmentChanged,
        segmentDurationChanged,
        steeringUnavailable,
        targetDurationChanged,
        windowExplosion,
    ]

    static let blockingReloadIgnored = FindingCode(
        "blocking_reload_ignored",
        .versions,
        .wrong,
        meaning: """
            A request that asked for the next segment or part was answered without it and not held: players fall back to \
            polling, and learn of a break later.
            """,
        rule: .hls(
            "6.2.5.2",
            """
            with CAN-BLOCK-RELOAD=YES an answer is held until the playlist has what _HLS_msn and _HLS_part name, or is an \
            error
            """
        ),
        likelyCauses: [
            "A CDN's cache key leaves out the query, so that an older answer serves.",
            "A proxy removes the query on its way to the packager.",
            "CAN-BLOCK-RELOAD=YES is written by a packager whose origin does not hold requests.",
            "The channel stood still, and the held answer ended as it was in place of 503.",
        ],
        whereToLook: """
            How long the answer took, below. At once: the same URL with its query at the packager itself; the cache key and \
            the forwarded query at the edge and the shield. Several target durations: the encoder at that time.
            """
    )

    static let deltaMismatch = FindingCode(
        "delta_mismatch",
        .versions,
        .broken,
        meaning: "A delta update, put together with the playlist before it, gave another playlist than the whole one.",
        rule: .hls("6.2.5.1", "a delta update is the playlist with what is older than the skip boundary replaced")
            .and(.hls("6.3.7", "a client merges it with its previous version to form an up-to-date playlist")),
        likelyCauses: [
            "The delta was made from another version of the playlist than the one it is served beside.",
            "A cache keys delta updates and whole playlists alike.",
            "SKIPPED-SEGMENTS or RECENTLY-REMOVED-DATERANGES counts wrongly after a removal at the front.",
        ],
        whereToLook: """
            The delta update and the whole playlist of the same instant, line by line from EXT-X-SKIP. Targets other than \
            podswarm's own origin are only held to it where playback.verifyDeltaShare is above 0, its default.
            """,
        fault: "delta_wrong"
    )

    static let discontinuityChanged = FindingCode(
        "discontinuity_changed",
        .versions,
        .wrong,
        meaning: "The discontinuity number of a published segment changed while its neighbours kept theirs.",
        rule: .hls("6.2.2", "segments that are still listed keep their discontinuity sequence numbers"),
        likelyCauses: [
            "EXT-X-DISCONTINUITY was added or taken away after the segment was published.",
            "A manifest manipulator marks the break's edge at another segment in each version.",
        ],
        whereToLook: "The EXT-X-DISCONTINUITY tags around the segment in both versions."
    )

    static let discontinuitySequenceWrong = FindingCode(
        "discontinuity_sequence_wrong",
        .versions,
        .wrong,
        meaning: "EXT-X-DISCONTINUITY-SEQUENCE does not count the tags that left the playlist, so every listed "
            + "segment is renumbered.",
        rule: .hls(
            "6.2.2",
            "the count rises when an EXT-X-DISCONTINUITY is removed, so that segments keep their numbers"
        ),
        likelyCauses: [
            "It stays as it is while breaks leave the window.",
            "The count rises when the break enters the window, or one update early or late.",
            "A packager restarted and lost the count.",
        ],
        whereToLook: "EXT-X-DISCONTINUITY-SEQUENCE in both versions beside the tags that were removed between them."
    )

    static let endlistOnLive = FindingCode(
        "endlist_on_live",
        .versions,
        .suspect,
        meaning: "A live playlist says that it has ended, so players stop reloading it and stop playing.",
        rule: .hls("4.4.3.4", "after EXT-X-ENDLIST no more segments will be added")
            .and(.hls("6.2.1", "a server may add EXT-X-ENDLIST, which is how a presentation ends"))
            .and(.assumed("a live channel is not meant to end while it is watched", .allowance)),
        likelyCauses: [
            "An ad's playlist, which is ended, was stitched with its EXT-X-ENDLIST.",
            "The encoder disconnected and the packager closed the event.",
            "The channel was really stopped while the run went on.",
        ],
        whereToLook: "The end of the playlist below, and whether the channel was meant to end."
    )

    static let mediaSequenceBackwards = FindingCode(
        "media_sequence_backwards",
        .versions,
        .broken,
        meaning: "A new version of the playlist begins at a lower media sequence number, so players jump back or stop.",
        rule: .hls("6.2.2", "EXT-X-MEDIA-SEQUENCE must not decrease or wrap"),
        likelyCauses: [
            "The packager restarted and counts from the beginning.",
            "Two packagers behind one address number segments on their own.",
            "A fail-over took place without shared state.",
        ],
        whereToLook: "EXT-X-MEDIA-SEQUENCE of both versions, and which packager wrote each."
    )

    static let mediaSequenceJump = FindingCode(
        "media_sequence_jump",
        .versions,
        .suspect,
        meaning:
            "The playlist went further than the whole window between two timely loads, so segments were never offered.",
        rule: .hls("6.2.2", "the media sequence rises by one for each segment that is removed")
            .and(
                .assumed(
                    "a window that went on by its whole length and three target durations more than time did was never offered",
                    .allowance
                )
            ),
        likelyCauses: [
            "The packager skipped numbers when it restarted or changed inputs.",
            "A splice into or out of the break counts the ad's segments twice.",
            "An edge served an old version and caught up at once.",
        ],
        whereToLook: "The first and last media sequence numbers of both versions, beside the time between them."
    )

    static let playlistShrunk = FindingCode(
        "playlist_shrunk",
        .versions,
        .wrong,
        meaning: "Segments at the end of the playlist were taken back after they had been published.",
        rule: .hls("6.2.1", "segments are removed in the order in which they appear, so at the front only"),
        likelyCauses: [
            "An edge answers with a version that it took for newer.",
            "The break was cut short by withdrawing segments instead of X-PLAYOUT-LIMIT or EXT-X-CUE-IN.",
            "The packager lost its last segments in a restart.",
        ],
        whereToLook: "The last media sequence number of both versions."
    )

    static let playlistStale = FindingCode(
        "playlist_stale",
        .versions,
        .wrong,
        meaning: "The playlist brought nothing new for two target durations, so viewers drain their buffers.",
        rule: .hls("6.2.1", "a new segment is available no later than 1.5 target durations after the one before")
            .and(.assumed("a cache may keep a playlist for half a target duration more", .staleness)),
        likelyCauses: [
            "A cache keeps the playlist longer than half a target duration.",
            "The encoder or packager stands still.",
            "The ad splicer waits for a decision.",
        ],
        whereToLook: "Age and cache fields of the answer, then the packager's own copy of the playlist.",
        fault: "stale_playlist"
    )

    static let playlistUnavailable = FindingCode(
        "playlist_unavailable",
        .versions,
        .wrong,
        meaning: "A live playlist that answered before answered with an error, or not at all, so viewers run out "
            + "of segments.",
        rule: .hls("6.2.1", "a live playlist is made available anew until it has EXT-X-ENDLIST")
            .and(.assumed("one that answered before is not to fail even once", .allowance)),
        likelyCauses: [
            "The packager or the edge behind the URL restarted or lost its state.",
            "The origin shield refuses under load: 429, 503, or a connection that is reset.",
            "The session that the URL belongs to was dropped.",
        ],
        whereToLook: "The status below and who sent it; what else that server answered in the same seconds."
    )

    static let segmentChanged = FindingCode(
        "segment_changed",
        .versions,
        .broken,
        meaning:
            "A media sequence number names another segment than before, so viewers of one moment see different media.",
        rule: .hls("6.3.4", "after a reload each media sequence number has the same URI as before")
            .and(.hls("6.2.1", "what has been published is not changed")),
        likelyCauses: [
            "A segment was replaced after it had been published, for example a slate by a late ad.",
            "Packagers behind one address name their segments differently.",
            "The media sequence was counted wrongly when segments were removed.",
        ],
        whereToLook: "The two URIs below, and when the second was written."
    )

    static let segmentDurationChanged = FindingCode(
        "segment_duration_changed",
        .versions,
        .wrong,
        meaning: "A published segment's EXTINF changed, so players place what follows at the wrong time.",
        rule: .hls("6.2.1", "a server only appends, removes at the front and counts up"),
        likelyCauses: [
            "The duration was estimated first and corrected later.",
            "Packagers behind one address round durations differently.",
            "The playlist was rewritten when a break was inserted.",
        ],
        whereToLook: "EXTINF of the segment in both versions."
    )

    static let steeringUnavailable = FindingCode(
        "steering_unavailable",
        .versions,
        .wrong,
        meaning: """
            A steering manifest was not given, or is none: players stay on their pathway, and nobody can move them to \
            another CDN.
            """,
        rule: .hls("4.4.6.6", "SERVER-URI gives a steering manifest")
            .and(.hls("7.2", "clients read it periodically to learn which pathways there are, and in which order"))
            .and(.assumed("410 and 429 are answers to it as well, and other errors are not", .allowance)),
        likelyCauses: [
            "The steering server cannot take the audience, which asks it at every join and every TTL.",
            "The manifest's JSON lacks VERSION or PATHWAY-PRIORITY, or has them in another case.",
            "SERVER-URI or RELOAD-URI resolves to another host or path than was meant.",
        ],
        whereToLook: "The URL below with its _HLS_pathway and _HLS_throughput; TTL beside the number of viewers."
    )

    static let targetDurationChanged = FindingCode(
        "target_duration_changed",
        .versions,
        .wrong,
        meaning: "EXT-X-TARGETDURATION changed, by which players time reloads and buffers.",
        rule: .hls("6.2.1", "the value of EXT-X-TARGETDURATION must not change"),
        likelyCauses: [
            "It is computed from the segments that are listed just now.",
            "An ad with longer segments was spliced in.",
            "Packagers behind one address are configured differently.",
        ],
        whereToLook: "EXT-X-TARGETDURATION of both versions and the longest EXTINF of each."
    )

    static let windowExplosion = FindingCode(
        "window_explosion",
        .versions,
        .suspect,
        meaning: "One update brought far more media than time has passed, which makes players seek or refill.",
        rule: .hls("6.2.1", "a live playlist brings a new segment at least every 1.5 target durations")
            .and(.assumed("it brings at most three target durations more than time has passed", .allowance)),
        likelyCauses: [
            "The channel loops or restarts and lists its whole archive.",
            "A break's segments were all listed at once.",
            "A cache held the playlist back and caught up.",
        ],
        whereToLook: "The segments that are new in the second version, beside the time since the first."
    )
}
