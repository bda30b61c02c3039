extension HLSFeatures {
    private static let tags: FeatureTest = "HLSTests/MediaPlaylistParserTests/readsEveryTagOfALivePlaylist"
    private static let controlServed: FeatureTest =
        "OriginTests/LowLatencyPlaylistTests/serverControlSaysWhatIsOfferedInEveryRendition"
    private static let partsServed: FeatureTest = "OriginTests/LowLatencyPlaylistTests/partsFillTheTimeUpToTheEdge"
    private static let bothMeet: FeatureTest =
        "OriginTests/ClientReadingTests/stitchedBreaksAreRecognisedInEveryDialect"
    private static let dialects: FeatureTest = "HLSTests/StitchedBreaksTests/eachDialectMarksTheSameBreak"
    private static let middle: FeatureTest = "HLSTests/StitchedBreaksTests/aCueFirstSeenAsContinuedIsJoinedInTheMiddle"
    private static let markers: FeatureTest = "OriginTests/StitchedTests/markersStandBeforeTheirSegments"

    /// Breaks that are stitched into the channel: dialects without a specification of their own.
    static let stitched: [HLSFeature] = [
        HLSFeature(
            "EXT-X-CUE-OUT: bare, `30`, `DURATION=30`",
            "common use",
            [.at(.cueTag, "\"#EXT-X-CUE-OUT\"", as: "EXT-X-CUE-OUT"), .at(.cueTag, "func outDuration(")],
            origin: [.at(.markup, "func outTags(")],
            spellings: ["#EXT-X-CUE-OUT"],
            tests: [dialects, markers, bothMeet]
        ),
        HLSFeature(
            "EXT-X-CUE-OUT-CONT: `10/30`, `ElapsedTime=10,Duration=30`",
            "common use",
            [.at(.cueTag, "\"#EXT-X-CUE-OUT-CONT\"", as: "EXT-X-CUE-OUT-CONT"), .at(.cueTag, "func continuation(")],
            origin: [.at(.markup, "func continuationTags(")],
            spellings: ["#EXT-X-CUE-OUT-CONT"],
            tests: [dialects, middle, markers, bothMeet]
        ),
        HLSFeature(
            "EXT-X-CUE-IN",
            "common use",
            [.at(.cueTag, "\"#EXT-X-CUE-IN\"", as: "EXT-X-CUE-IN")],
            origin: [.at(.markup, "func inTags(")],
            spellings: ["#EXT-X-CUE-IN"],
            tests: [dialects, "HLSTests/StitchedBreaksTests/breaksFollowEachOther", markers]
        ),
        HLSFeature(
            "EXT-OATCLS-SCTE35",
            "common use",
            [.at(.cueTag, "\"#EXT-OATCLS-SCTE35\"", as: "EXT-OATCLS-SCTE35")],
            origin: [.at(.markup, "dialects.contains(.oatcls)")],
            spellings: ["#EXT-OATCLS-SCTE35"],
            tests: ["HLSTests/StitchedBreaksTests/theSectionBesideTheCueIsKept", markers]
        ),
        HLSFeature(
            "EXT-X-SCTE35: CUE-OUT=YES, CONT, NO; CUE-IN=YES",
            "common use",
            [.at(.cueTag, "func scte35(")],
            origin: [.at(.markup, "#EXT-X-SCTE35:CUE", as: "EXT-X-SCTE35")],
            spellings: ["#EXT-X-SCTE35", "CUE-OUT", "CUE-IN"],
            tests: [dialects, middle, markers, bothMeet]
        ),
        HLSFeature(
            "EXT-X-SPLICEPOINT-SCTE35",
            "common use; SCTE 35",
            [.at(.cueTag, "func splicePoint("), .at(.splice, "struct SpliceInformation")],
            origin: [.at(.markup, "#EXT-X-SPLICEPOINT-SCTE35", as: "EXT-X-SPLICEPOINT-SCTE35")],
            spellings: ["#EXT-X-SPLICEPOINT-SCTE35"],
            tests: [dialects, "HLSTests/SpliceInformationTests/insertsBeginAndEndBreaks", markers, bothMeet]
        ),
        HLSFeature(
            "Date ranges with SCTE35-OUT and SCTE35-IN",
            "4.4.5.1",
            [.at(.stitched, "dateRanges")],
            origin: [.at(.markup, "func dateRanges(")],
            tests: [
                "HLSTests/StitchedBreaksTests/aPairOfDateRangesMarksABreak",
                "HLSTests/StitchedBreaksTests/tagsAndADateRangeOfOneBreakMakeOne",
                "OriginTests/StitchedTests/dateRangeIsAnnouncedAndEndedWithOneID", bothMeet,
            ]
        ),
        HLSFeature(
            "EXT-X-DISCONTINUITY around the ads",
            "4.4.4.3, 6.2.2",
            [.at(.playlistTag, "\"-X-DISCONTINUITY\"", as: "EXT-X-DISCONTINUITY"), .at(.stitched, "isDiscontinuity")],
            origin: [.at(.stitchedSchedule, "func discontinuities(")],
            tests: [
                "HLSTests/StitchedBreaksTests/aDiscontinuityAfterThePlanEndsABreakWithoutAnEndTag",
                "OriginTests/StitchedTests/discontinuityNumbersHoldWhileTheWindowSlides",
            ]
        ),
        HLSFeature(
            "The break's segments, compared between viewers",
            "issue",
            [.at(.stitchedReader, "playedAddress.hash("), .at(.stitchedFeed, "func reachStitched(")],
            origin: [.at(.markup, "func view(")],
            tests: [
                "SwarmTests/StitchedTests/viewersOfTheSameAdsHaveOneFingerprintWheneverTheyPoll",
                "OriginTests/StitchedTests/plannedFaultGivesSomeViewersOtherAds",
                "SwarmTests/InterstitialRunTests/adsThatDifferBetweenViewersAreFoundAndNothingElse",
            ]
        ),
        HLSFeature(
            "The break's punctuality",
            "issue",
            [.at(.breakMachine, "func bookPunctuality(")],
            tests: ["SwarmTests/StitchedTests/aBreakIsOnTimeWhenItsFirstSegmentIsListedBeforeThePlayheadIsThere"]
        ),
    ]

    /// Low latency: tags, and the directives of a request.
    static let lowLatency: [HLSFeature] = [
        HLSFeature(
            "EXT-X-SERVER-CONTROL: HOLD-BACK",
            "4.4.3.8",
            [.at(.deliveryTags, "isNamed(attribute, \"HOLD-BACK\")", as: "HOLD-BACK"), .at(.position, "var holdBack")],
            origin: [.at(.liveDelivery, "func serverControl(")],
            spellings: ["EXT-X-SERVER-CONTROL", "HOLD-BACK"],
            tests: [tags, "HLSTests/StartPositionTests/theHoldBackIsGivenOrThreeTargetDurations", controlServed]
        ),
        HLSFeature(
            "EXT-X-SERVER-CONTROL: PART-HOLD-BACK",
            "4.4.3.8",
            [
                .at(.deliveryTags, "isNamed(attribute, \"PART-HOLD-BACK\")", as: "PART-HOLD-BACK"),
                .at(.position, "var partHoldBack"),
            ],
            origin: [.at(.liveDelivery, "func serverControl(")],
            spellings: ["PART-HOLD-BACK"],
            tests: [tags, "SwarmTests/PlayheadTests/aLowLatencyPlayerStartsAtThePartHoldBack", controlServed]
        ),
        HLSFeature(
            "EXT-X-SERVER-CONTROL: CAN-BLOCK-RELOAD",
            "4.4.3.8",
            [.at(.deliveryTags, "\"CAN-BLOCK-RELOAD\"", as: "CAN-BLOCK-RELOAD"), .at(.directives, "func next(")],
            origin: [.at(.liveDelivery, "func serverControl(")],
            spellings: ["CAN-BLOCK-RELOAD"],
            tests: [tags, "SwarmTests/LowLatencyTests/whereTheServerDoesNotOfferItThePlaylistIsPolled", controlServed]
        ),
        HLSFeature(
            "EXT-X-SERVER-CONTROL: CAN-SKIP-UNTIL, CAN-SKIP-DATERANGES",
            "4.4.3.8",
            [
                .at(.deliveryTags, "\"CAN-SKIP-UNTIL\"", as: "CAN-SKIP-UNTIL"),
                .at(.deliveryTags, "\"CAN-SKIP-DATERANGES\"", as: "CAN-SKIP-DATERANGES"),
                .at(.directives, "func skip("),
            ],
            origin: [.at(.liveDelivery, "func serverControl(")],
            spellings: ["CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES"],
            tests: [tags, "HLSTests/DeliveryDirectivesTests/aDeltaIsAskedForAsOfferedAndOnlyWhileYoung", controlServed]
        ),
        HLSFeature(
            "EXT-X-PART-INF: PART-TARGET",
            "4.4.3.7",
            [.at(.deliveryTags, "func partTarget(")],
            origin: [.at(.liveDelivery, "writer.partTargetMicroseconds", as: "deliver")],
            spellings: ["EXT-X-PART-INF", "PART-TARGET"],
            tests: [tags, partsServed]
        ),
        HLSFeature(
            "EXT-X-PART: URI, DURATION, INDEPENDENT, GAP, BYTERANGE",
            "4.4.4.9",
            [.at(.deliveryTags, "func part("), .at(.loader, "struct MediaLoader")],
            origin: [.at(.listing, "func parts(")],
            spellings: ["EXT-X-PART", "INDEPENDENT", "GAP", "BYTERANGE", "URI"],
            tests: [tags, "SwarmTests/LowLatencyTests/atTheEdgePartsAreLoadedAndThenTheHintedOne", partsServed]
        ),
        HLSFeature(
            "EXT-X-PRELOAD-HINT: TYPE, URI, BYTERANGE-START, BYTERANGE-LENGTH",
            "4.4.5.3",
            [.at(.deliveryTags, "func preloadHint("), .at(.loader, "takesHinted")],
            origin: [.at(.listing, "func hint(")],
            spellings: ["EXT-X-PRELOAD-HINT", "TYPE", "BYTERANGE-START", "BYTERANGE-LENGTH"],
            tests: [tags, "SwarmTests/LowLatencyTests/atTheEdgePartsAreLoadedAndThenTheHintedOne", partsServed]
        ),
        HLSFeature(
            "A hinted part that never comes",
            "6.2.2",
            [.at(.loader, "takesHinted")],
            origin: [.at(.liveDelivery, "isHintGone")],
            tests: [
                "SwarmTests/LowLatencyTests/aHintThatComesToNothingIsCountedAndThePartLoadedWhenItIsListed",
                "OriginTests/LowLatencyServiceTests/partThatNeverComesIsNotFoundOnceAnotherIsThere",
            ]
        ),
        HLSFeature(
            "EXT-X-RENDITION-REPORT: URI, LAST-MSN, LAST-PART",
            "4.4.5.4",
            [.at(.deliveryTags, "func renditionReport("), .at(.reloadLoop, "func reported(")],
            origin: [.at(.liveDelivery, "func report(")],
            spellings: ["EXT-X-RENDITION-REPORT", "LAST-MSN", "LAST-PART"],
            tests: [
                tags, "HLSTests/DeliveryDirectivesTests/aRenditionReportSaysWhereToBegin",
                "SwarmTests/LowLatencyTests/aSwitchBeginsWhereTheReportSaysThatTheOtherVariantIs",
                "OriginTests/LowLatencyPlaylistTests/renditionReportsNameTheLastPartOfTheOthers",
            ]
        ),
        HLSFeature(
            "EXT-X-SKIP: SKIPPED-SEGMENTS",
            "4.4.5.2",
            [
                .at(.deliveryTags, "\"SKIPPED-SEGMENTS\"", as: "SKIPPED-SEGMENTS"),
                .at(.delta, "func merging(", as: "merging"),
            ],
            origin: [.at(.liveDelivery, "func shortened(")],
            spellings: ["EXT-X-SKIP", "SKIPPED-SEGMENTS"],
            tests: [
                "HLSTests/DeltaUpdateTests/aMergedDeltaIsTheWholePlaylist",
                "OriginTests/DeltaUpdateTests/segmentsPastTheBoundaryAreSkipped",
                "OriginTests/DeltaUpdateTests/mergedPlaylistIsTheWholeOne",
            ]
        ),
        HLSFeature(
            "EXT-X-SKIP: RECENTLY-REMOVED-DATERANGES",
            "4.4.5.2",
            [.at(.deliveryTags, "\"RECENTLY-REMOVED-DATERANGES\"", as: "RECENTLY-REMOVED-DATERANGES")],
            origin: [.at(.liveDelivery, "struct DateRangeHistory")],
            spellings: ["RECENTLY-REMOVED-DATERANGES"],
            tests: [
                "HLSTests/DeltaUpdateTests/aMergedDeltaIsTheWholePlaylist",
                "OriginTests/DeltaUpdateTests/oldDateRangesAreLeftOutAndGoneOnesNamed",
            ]
        ),
        HLSFeature(
            "_HLS_msn",
            "6.2.5.2",
            [.at(.directives, "mediaSequenceParameter ="), .at(.reloadLoop, "func directives(")],
            origin: [.at(.originDirectives, "func read("), .at(.originDelivery, "func playlistRelease(")],
            tests: [
                "HLSTests/DeliveryDirectivesTests/directivesAreWrittenInByteOrder",
                "SwarmTests/LowLatencyTests/theNextPartIsAskedForAtOnceAndHeldByTheServer",
                "OriginTests/LowLatencyServiceTests/answerWaitsUntilThePlaylistHasWhatIsNamed",
            ]
        ),
        HLSFeature(
            "_HLS_part",
            "6.2.5.2",
            [.at(.directives, "partParameter ="), .at(.reloadLoop, "func directives(")],
            origin: [.at(.originDirectives, "func read("), .at(.originDirectives, "func isTooFar(")],
            tests: [
                "HLSTests/DeliveryDirectivesTests/theNextPartIsAskedForWhereThereAreParts",
                "SwarmTests/LowLatencyTests/theNextPartIsAskedForAtOnceAndHeldByTheServer",
                "OriginTests/PlaylistDirectivesTests/directivesAreRead",
                "OriginTests/PlaylistDirectivesTests/partsAreCountedAgainstTheAdvancePartLimit",
            ]
        ),
        HLSFeature(
            "_HLS_skip=YES",
            "6.2.5.1",
            [.at(.directives, "skipParameter ="), .at(.directives, "func isYoungEnough(")],
            origin: [.at(.originDirectives, "func read(")],
            spellings: ["_HLS_skip"],
            tests: [
                "SwarmTests/LowLatencyTests/aDeltaUpdateIsAskedForByFactsAndOffer",
                "SwarmTests/LowLatencyTests/anOldPlaylistIsNotBroughtUpToDateByADelta",
                "OriginTests/PlaylistDirectivesTests/directivesAreRead",
            ]
        ),
        HLSFeature(
            "_HLS_skip=v2",
            "6.2.5.1",
            [.at(.directives, "\"v2\"", as: "v2")],
            origin: [.at(.originDirectives, "segmentsAndDateRanges")],
            tests: [
                "SwarmTests/LowLatencyTests/aDeltaUpdateIsAskedForByFactsAndOffer",
                "OriginTests/DeltaUpdateTests/oldDateRangesAreLeftOutAndGoneOnesNamed",
            ]
        ),
        HLSFeature(
            "The order of query parameters",
            "6.2.5",
            [.at(.directives, "func url(")],
            origin: [.at(.originService, "\\.outOfOrder", as: "outOfOrder")],
            tests: [
                "HLSTests/DeliveryDirectivesTests/directivesAreWrittenInByteOrder",
                "OriginTests/LowLatencyServiceTests/queriesOutOfOrderAreCounted",
            ]
        ),
        HLSFeature(
            "Requests that must be refused (400), and held too long (503)",
            "6.2.5.2",
            [.at(.playback, "goesOnBlocking")],
            origin: [.at(.originDirectives, "func isTooFar("), .at(.originDelivery, "func playlistRelease(")],
            tests: [
                "SwarmTests/LowLatencyTests/aRequestThatFailedWithDirectivesIsMadeWithoutThemOnce",
                "OriginTests/LowLatencyServiceTests/mistakenDirectivesAreRefusedAtOnce",
                "OriginTests/LowLatencyServiceTests/frozenPlaylistIsGivenUpAfterThreeTargetDurations",
            ]
        ),
        HLSFeature(
            "Age: finding the edge behind a cache",
            "C",
            [.at(.blocking, "enum CDNTuneIn"), .at(.reloadLoop, "func tuneIn(")],
            tests: [
                "HLSTests/CDNTuneInTests/theRequestRunsAheadByWhatIsMissing",
                "SwarmTests/LowLatencyTests/anAnswerFromACacheIsFollowedByWhatTheOriginShouldHave",
            ]
        ),
    ]
}
