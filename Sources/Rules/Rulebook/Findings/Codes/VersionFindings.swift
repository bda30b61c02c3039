extension FindingCode {
    package static let blockingReloadIgnored = FindingCode(
        ("blocking_reload_ignored", .versions, .wrong),
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
        likelyCauses: "A CDN's cache key leaves out the query, so that an older answer serves.",
        "A proxy removes the query on its way to the packager.",
        "CAN-BLOCK-RELOAD=YES is written by a packager whose origin does not hold requests.",
        "The channel stood still, and the held answer ended as it was in place of 503.",
        whereToLook: """
            How long the answer took. At once: the same URL with its query at the packager itself; the cache key and \
            the forwarded query at the edge and the shield. Several target durations: the encoder at that time.
            """
    )

    package static let deltaMismatch = FindingCode(
        ("delta_mismatch", .versions, .broken),
        meaning: "A delta update, put together with the playlist before it, gave another playlist than the whole one.",
        rule: .hls("6.2.5.1", "a delta update is the playlist with what is older than the skip boundary replaced"),
        .hls("6.3.7", "a client merges it with its previous version to form an up-to-date playlist"),
        likelyCauses: "The delta was made from another version of the playlist than the one it is served beside.",
        "A cache keys delta updates and whole playlists alike.",
        "SKIPPED-SEGMENTS or RECENTLY-REMOVED-DATERANGES counts wrongly after a removal at the front.",
        whereToLook: """
            The delta update and the whole playlist of the same instant, line by line from EXT-X-SKIP. Targets other than \
            podswarm's own origin are only held to it where playback.verifyDeltaShare is above 0, its default.
            """,
        fault: "delta_wrong"
    )

    package static let discontinuityChanged = FindingCode(
        ("discontinuity_changed", .versions, .wrong),
        meaning: "The discontinuity number of a published segment changed while its neighbours kept theirs.",
        rule: .hls("6.2.2", "segments that are still listed keep their discontinuity sequence numbers"),
        likelyCauses: "EXT-X-DISCONTINUITY was added or taken away after the segment was published.",
        "A manifest manipulator marks the break's edge at another segment in each version.",
        whereToLook: "The EXT-X-DISCONTINUITY tags around the segment in both versions."
    )

    package static let discontinuitySequenceWrong = FindingCode(
        ("discontinuity_sequence_wrong", .versions, .wrong),
        meaning: "EXT-X-DISCONTINUITY-SEQUENCE does not count the tags that left the playlist, so every listed "
            + "segment is renumbered.",
        rule: .hls(
            "6.2.2",
            "the count rises when an EXT-X-DISCONTINUITY is removed, so that segments keep their numbers"
        ),
        likelyCauses: "The count rises when the break enters the window, or one update early or late.",
        "It stays as it is while breaks leave the window.",
        "A packager restarted and lost the count.",
        whereToLook: "EXT-X-DISCONTINUITY-SEQUENCE in both versions beside the tags that were removed between them."
    )

    package static let endlistOnLive = FindingCode(
        ("endlist_on_live", .versions, .suspect),
        meaning: "A live playlist says that it has ended, so players stop reloading it and stop playing.",
        rule: .hls("4.4.3.4", "after EXT-X-ENDLIST no more segments will be added"),
        .hls("6.2.1", "a server may add EXT-X-ENDLIST, which is how a presentation ends"),
        .assumed("a live channel is not meant to end while it is watched", .allowance),
        likelyCauses: "An ad's playlist, which is ended, was stitched with its EXT-X-ENDLIST.",
        "The encoder disconnected and the packager closed the event.",
        "The channel was really stopped while the run went on.",
        whereToLook: "The end of the playlist shown, and whether the channel was meant to end."
    )

    package static let mediaSequenceBackwards = FindingCode(
        ("media_sequence_backwards", .versions, .broken),
        meaning: "A new version of the playlist begins at a lower media sequence number, so players jump back or stop.",
        rule: .hls("6.2.2", "EXT-X-MEDIA-SEQUENCE must not decrease or wrap"),
        likelyCauses: "The packager restarted and counts from the beginning.",
        "Two packagers behind one address number segments on their own.",
        "A fail-over took place without shared state.",
        whereToLook: "EXT-X-MEDIA-SEQUENCE of both versions, and which packager wrote each."
    )

    package static let mediaSequenceJump = FindingCode(
        ("media_sequence_jump", .versions, .suspect),
        meaning:
            "The playlist went further than the whole window between two timely loads, so segments were never offered.",
        rule: .hls("6.2.2", "the media sequence rises by one for each segment that is removed"),
        .assumed(
            "a window that went on by its whole length and three target durations more than time did was never offered",
            .allowance
        ),
        likelyCauses: "The packager skipped numbers when it restarted or changed inputs.",
        "A splice into or out of the break counts the ad's segments twice.",
        "An edge served an old version and caught up at once.",
        whereToLook: "The first and last media sequence numbers of both versions, beside the time between them."
    )

    package static let playlistShrunk = FindingCode(
        ("playlist_shrunk", .versions, .wrong),
        meaning: "Segments at the end of the playlist were taken back after they had been published.",
        rule: .hls("6.2.1", "segments are removed in the order in which they appear, so at the front only"),
        likelyCauses: "An edge answers with a version that it took for newer.",
        "The break was cut short by withdrawing segments instead of X-PLAYOUT-LIMIT or EXT-X-CUE-IN.",
        "The packager lost its last segments in a restart.",
        whereToLook: "The last media sequence number of both versions."
    )

    package static let playlistStale = FindingCode(
        ("playlist_stale", .versions, .wrong),
        meaning: "The playlist brought nothing new for two target durations, so viewers drain their buffers.",
        rule: .hls("6.2.1", "a new segment is available no later than 1.5 target durations after the one before"),
        .assumed("a cache may keep a playlist for half a target duration more", .staleness),
        likelyCauses: "A cache keeps the playlist longer than half a target duration.",
        "The encoder or packager stands still.",
        "The ad splicer waits for a decision.",
        whereToLook: "Age and cache fields of the answer, then the packager's own copy of the playlist.",
        fault: "stale_playlist"
    )

    package static let playlistUnavailable = FindingCode(
        ("playlist_unavailable", .versions, .wrong),
        meaning: "A live playlist that answered before answered with an error, or not at all, so viewers run out "
            + "of segments.",
        rule: .hls("6.2.1", "a live playlist is made available anew until it has EXT-X-ENDLIST"),
        .assumed("one that answered before is not to fail even once", .allowance),
        likelyCauses: "The packager or the edge behind the URL restarted or lost its state.",
        "The origin shield refuses under load: 429, 503, or a connection that is reset.",
        "The session that the URL belongs to was dropped.",
        whereToLook: "The status shown and who sent it; what else that server answered in the same seconds."
    )

    package static let segmentChanged = FindingCode(
        ("segment_changed", .versions, .broken),
        meaning:
            "A media sequence number names another segment than before, so viewers of one moment see different media.",
        rule: .hls("6.3.4", "after a reload each media sequence number has the same URI as before"),
        .hls("6.2.1", "published content is not changed"),
        likelyCauses: "A segment was replaced after it had been published, for example a slate by a late ad.",
        "Packagers behind one address name their segments differently.",
        "The media sequence was counted wrongly when segments were removed.",
        whereToLook: "The two URIs shown, and when the second was written."
    )

    package static let segmentDurationChanged = FindingCode(
        ("segment_duration_changed", .versions, .wrong),
        meaning: "A published segment's EXTINF changed, so players place what follows at the wrong time.",
        rule: .hls("6.2.1", "a server only appends, removes at the front and counts up"),
        likelyCauses: "The duration was estimated first and corrected later.",
        "Packagers behind one address round durations differently.",
        "The playlist was rewritten when a break was inserted.",
        whereToLook: "EXTINF of the segment in both versions."
    )

    package static let steeringUnavailable = FindingCode(
        ("steering_unavailable", .versions, .wrong),
        meaning: """
            A steering manifest did not come, or cannot be read: players stay on their pathway, and the operator cannot move \
            them to another CDN.
            """,
        rule: .hls("4.4.6.6", "SERVER-URI gives a steering manifest"),
        .hls("7.2", "clients read it periodically to learn which pathways there are, and in which order"),
        .assumed("410 and 429 are answers to it as well, and other errors are not", .allowance),
        likelyCauses: "The steering server cannot take the audience, which asks it at every join and every TTL.",
        "An error page with status 200 comes in place of the manifest.",
        "SERVER-URI or RELOAD-URI resolves to another host or path than was meant.",
        whereToLook: "The URL shown with its _HLS_pathway and _HLS_throughput; TTL beside the number of viewers."
    )

    package static let steeringManifestInvalid = FindingCode(
        ("steering_manifest_invalid", .versions, .wrong),
        meaning: """
            A steering manifest has a member that is missing or of another type: players leave out the member or the \
            manifest, and some ask for it again without a pause.
            """,
        rule: .steering(
            "4",
            "VERSION, TTL and PATHWAY-PRIORITY are required: two numbers, and an array that names each pathway once"
        ),
        .steering("5", "a pathway clone has BASE-ID, ID and URI-REPLACEMENT, and an ID of its own"),
        likelyCauses: "A number was written as text, with quotation marks.",
        "A member was left out, or its name is spelt in another case: some players take 300 s in place of TTL.",
        "The names of pathways are spelt in another case than in the multivariant playlist.",
        whereToLook: "The manifest's JSON, member by member, beside PATHWAY-ID of the variants."
    )

    package static let steeringPathwayUnknown = FindingCode(
        ("steering_pathway_unknown", .versions, .advice),
        meaning: """
            A steering manifest names a pathway that no variant has, which players ignore: it cannot take the audience \
            of another one.
            """,
        rule: .steering("4", "clients ignore pathways that they do not know"),
        .hls("4.4.6.2", "PATHWAY-ID of a variant names its pathway, and the default is a full stop"),
        likelyCauses: "The multivariant playlist lists the variants of one CDN only.",
        "One manifest serves channels that differ in their pathways.",
        "The pathway's name is spelt in another way in one of the two.",
        whereToLook: "PATHWAY-ID of each variant, beside PATHWAY-PRIORITY and BASE-ID of the manifest."
    )

    package static let targetDurationChanged = FindingCode(
        ("target_duration_changed", .versions, .wrong),
        meaning: "EXT-X-TARGETDURATION changed, by which players time reloads and buffers.",
        rule: .hls("6.2.1", "the value of EXT-X-TARGETDURATION must not change"),
        likelyCauses: "It is computed from the segments that are listed just now.",
        "An ad with longer segments was spliced in.",
        "Packagers behind one address are configured differently.",
        whereToLook: "EXT-X-TARGETDURATION of both versions and the longest EXTINF of each."
    )

    package static let windowExplosion = FindingCode(
        ("window_explosion", .versions, .suspect),
        meaning: "One update brought far more media than time has passed, which makes players seek or refill.",
        rule: .hls("6.2.1", "a live playlist brings a new segment at least every 1.5 target durations"),
        .assumed("it brings at most three target durations more than time has passed", .allowance),
        likelyCauses: "The channel loops or restarts and lists its whole archive.",
        "A break's segments were all listed at once.",
        "A cache held the playlist back and caught up.",
        whereToLook: "The segments that are new in the second version, beside the time since the first."
    )
}

extension FindingCode {
    package static let discontinuitySequenceMissing = FindingCode(
        ("discontinuity_sequence_missing", .versions, .wrong),
        meaning: """
            An EXT-X-DISCONTINUITY left the playlist with its segment, and no EXT-X-DISCONTINUITY-SEQUENCE counts it. A \
            viewer that joins or switches now numbers segments otherwise than in its earlier playlists. Then hls.js \
            looks for the other rendition's segment in the wrong stretch and stalls, and Media3 freezes.
            """,
        rule: .hls(
            "6.2.2",
            "a playlist with a discontinuity from which segments are removed must have EXT-X-DISCONTINUITY-SEQUENCE"
        ),
        .hls("6.2.4", "matching content has matching discontinuity sequence numbers"),
        likelyCauses: "The packager knows no such tag: ffmpeg's muxer drops each discontinuity with its segment.",
        "A manifest manipulator inserts the discontinuities of its breaks and leaves the header as it was.",
        whereToLook: "The first segments of the version before, and the header of this one."
    )

    package static let headerChanged = FindingCode(
        ("header_changed", .versions, .wrong),
        meaning:
            "A value of the header by which players time requests or keep their distance has changed: "
            + "PART-TARGET, HOLD-BACK, PART-HOLD-BACK, CAN-SKIP-UNTIL or EXT-X-PLAYLIST-TYPE.",
        rule: .hls(
            "6.2.1",
            """
            a server changes a media playlist only by the lines that it appends or removes, by its two counts and by \
            EXT-X-ENDLIST
            """
        ),
        likelyCauses: "The value is computed from the segments or parts that are listed just now.",
        "Packagers or edges behind one address are configured differently.",
        "The packager was configured anew while the channel went on.",
        whereToLook: """
            EXT-X-PLAYLIST-TYPE, EXT-X-PART-INF and EXT-X-SERVER-CONTROL of both versions, and which packager wrote each.
            """
    )

    package static let segmentAttributesChanged = FindingCode(
        ("segment_attributes_changed", .versions, .wrong),
        meaning:
            "What applies to a published segment changed while its URI stayed: its initialization section, its key, "
            + "whether it is a gap, where its bytes begin, or the URI of one of its parts.",
        rule: .hls(
            "6.2.1",
            """
            a server changes a media playlist only by the lines that it appends or removes, by its two counts and by \
            EXT-X-ENDLIST
            """
        ),
        likelyCauses: "EXT-X-MAP or EXT-X-KEY was not written again when the segment that it stood before was removed.",
        "The tags of a break's first segment went to the segment beside it.",
        "A segment that had failed was marked as a gap after it had been published.",
        whereToLook: "The tags before the segment in both versions, from the last EXT-X-MAP and EXT-X-KEY on."
    )
}

extension FindingCode {
    package static let breakAnnouncedLate = FindingCode(
        ("break_announced_late", .versions, .suspect),
        meaning: "The break was first announced so late that playheads may be at its start before players know of it.",
        rule: .hls(
            "4.4.5.1.1",
            "a splice should be announced together with the last segment before it, or earlier if possible"
        ),
        .hls("4.4.3.8", "players stay HOLD-BACK behind the live edge, three target durations without one"),
        .hls("6.3.4", "and load the playlist again after the duration of its last segment"),
        .assumed("the player that is nearest to the edge decides what is late", .startDistance),
        likelyCauses: "The splice message reaches the packager with too little pre-roll.",
        "The announcement waits for the ad decision.",
        "A cache delays the version that announces the break.",
        whereToLook: "When the date range or cue tag first appeared beside its start."
    )

    package static let breakExitUpdateWrong = FindingCode(
        ("break_exit_update_wrong", .versions, .wrong),
        meaning: "An update at the end of a break moved the live edge back or far ahead and the next one took it back.",
        rule: .hls("6.2.1", "an update only appends, and removes at the front"),
        .assumed(
            "a live edge that one update moves and the next one takes back, near a break's end, is the splicer's",
            .allowance
        ),
        likelyCauses:
            "The splicer publishes once from the state before the break, or from another input, when it returns.",
        "Dates at the return are computed from the planned length and corrected one update later.",
        whereToLook: "The live edge by program date in the three versions around the break's end."
    )

    package static let dateRangeChanged = FindingCode(
        ("date_range_changed", .versions, .wrong),
        meaning: "An attribute of a known date range was changed or lost, so viewers disagree about one break.",
        rule: .hls("4.4.5.1", "a later tag of an ID gives the same value to each attribute that was given before"),
        .hls("4.4.5.1.1", "and loses none"),
        .assumed("times that are at most a frame apart are the same", .announcementTolerance),
        likelyCauses: "An address in it is signed, or carries a session, anew for each request.",
        "The break was rescheduled under its old ID.",
        "Each version of the playlist is made anew from a cue that was updated.",
        "Packagers behind one address format values differently.",
        whereToLook: "The tag in both versions, attribute by attribute."
    )

    package static let dateRangeRemovedEarly = FindingCode(
        ("date_range_removed_early", .versions, .advice),
        meaning:
            "A date range left the playlist while segments of it are still listed, but after its end has passed all viewers at "
            + "the live edge, so only viewers who go back or start far behind miss it.",
        rule: .hls("6.2.1", "a date range stays while a date in it maps to a listed segment"),
        .assumed("viewers at the live edge are no further behind it than the playlist's HOLD-BACK", .allowance),
        likelyCauses: "The packager drops the tag some seconds after the break, not with its last segment.",
        "The tag is bound to the segment with which the break begins, and left with it.",
        whereToLook: "The end of the range beside the date of the first listed segment."
    )

    package static let dateRangeReused = FindingCode(
        ("date_range_reused", .versions, .wrong),
        meaning: "The ID of an earlier date range stands for a new one, so players take the new break for the old.",
        rule: .hls("6.2.1", "the ID of a date range is not used again for a new one in the same playlist"),
        .assumed("starts that are at most a frame apart are the same", .announcementTolerance),
        likelyCauses: "SCTE-35 event ids wrap around or start anew with each event.",
        "The ID is made from something that repeats, such as the minute.",
        whereToLook: "START-DATE of both ranges and where their ID comes from."
    )

    package static let dateRangeSignedAnew = FindingCode(
        ("date_range_signed_anew", .versions, .advice),
        meaning:
            "An address in a known date range differs in its signature or session only, so players that compare the tags "
            + "see a changed break, and caches keep as many copies as there are signatures.",
        rule: .hls("4.4.5.1", "a later tag of an ID gives the same value to each attribute that was given before"),
        .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes"),
        .assumed(
            "known parameters of signatures, sessions and moments do not name other content, and tokens in a path may not",
            .allowance
        ),
        likelyCauses: "The manipulator signs the address of the asset list at each reload.",
        "Edges or servers behind one address sign with expiries of their own.",
        whereToLook: "The parameters that it names, and whether the address could be signed once for each break."
    )

    package static let dateRangeVanished = FindingCode(
        ("date_range_vanished", .versions, .wrong),
        meaning:
            "A date range left the playlist while segments of it are still listed, so late viewers miss the break.",
        rule: .hls("6.2.1", "a date range stays while a date in it maps to a listed segment"),
        likelyCauses: "The packager repeats the tag only for a few updates.",
        "The tag is bound to one segment and left with it.",
        "The break was cancelled after it had been announced.",
        whereToLook: "The range's dates beside those of the first and last listed segment."
    )

    package static let programDateJump = FindingCode(
        ("program_date_jump", .versions, .wrong),
        meaning: "The date of a listed segment moved.",
        rule: .hls(
            "6.2.1",
            "dates must not become ambiguous, and changes of timing are signalled by EXT-X-DISCONTINUITY"
        ),
        .assumed("a second more or less is not a jump", .allowance),
        likelyCauses: "The encoder's clock was stepped.",
        "Dates are taken when segments are written, not from the media.",
        "The splice back from a break does not account for its true length.",
        whereToLook: "EXT-X-PROGRAM-DATE-TIME of the two segments beside the EXTINF between them."
    )

    package static let spliceOrphaned = FindingCode(
        ("splice_orphaned", .versions, .wrong),
        meaning:
            "A splice out has no splice in, or the other way round, so viewers stay in the break or return at a guess.",
        rule: .hls("4.4.5.1.1", "the range of an SCTE35-OUT is given its duration or end by a later tag"),
        .assumed("EXT-X-CUE-OUT, which no specification has, stays while its segment is listed", .allowance),
        likelyCauses: "The cue-in was lost between encoder and packager.",
        "A restart in the middle of the break forgot that it was open.",
        whereToLook: "The cue tags and date ranges of both versions around the break's edges."
    )
}
