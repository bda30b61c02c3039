extension HLSFeatures {
    private static let read: FeatureTest = "HLSTests/InterstitialTests/readsEveryAttributeOfTheClass"
    private static let unknown: FeatureTest = "HLSTests/InterstitialTests/illegalAndUnknownValuesCountAsAbsent"
    private static let served: FeatureTest =
        "OriginTests/InterstitialScheduleTests/attributeIsWrittenAsTheSpecificationSpellsIt"

    /// The attributes of class com.apple.hls.interstitial.
    static let interstitials: [HLSFeature] = [
        HLSFeature(
            "X-ASSET-URI",
            "D.2",
            [.at(.attributes, "case assetURI"), .at(.breakContent, "func ask(")],
            origin: [.at(.tag, "InterstitialName.assetURI")],
            tests: [
                "HLSTests/InterstitialTests/defaultsHoldWhereNothingIsSaid",
                "HLSTests/InterstitialTests/whatSchedulesNothingIsNone",
                "SwarmTests/InterstitialFetchTests/anAssetURIIsAskedForItself",
                served,
            ]
        ),
        HLSFeature(
            "X-ASSET-LIST, bound late: asked for at the buffering point",
            "D.1, D.2",
            [.at(.attributes, "case assetList"), .at(.breakTiming, "func ordinaryFetchInstant(")],
            origin: [.at(.tag, "InterstitialName.assetList"), .at(.service, "func list(")],
            spellings: ["X-ASSET-LIST"],
            tests: [
                read, "SwarmTests/InterstitialFetchTests/theListIsAskedForByThePersonasTrigger",
                "OriginTests/InterstitialServiceTests/livePlaylistNamesAListWhoseAssetsPlay",
            ]
        ),
        HLSFeature(
            "X-ASSET-LIST, asked for again after a seek back",
            "D.1",
            [.at(.breakSeeking, "func seekBack("), .at(.interstitialFeed, "func revive(")],
            origin: [.at(.service, "func list(")],
            tests: ["SwarmTests/InterstitialAudienceTests/theListIsBoundAgainForAViewerThatGoesBack"]
        ),
        HLSFeature(
            "X-RESUME-OFFSET: absent, zero, given, negative",
            "D.2",
            [.at(.attributes, "case resumeOffset"), .at(.breakPlayhead, "func resume(")],
            origin: [.at(.tag, "InterstitialName.resumeOffset")],
            spellings: ["X-RESUME-OFFSET"],
            tests: [read, unknown, "SwarmTests/InterstitialPlayTests/theProgrammeGoesOnAtTheResumeOffset", served]
        ),
        HLSFeature(
            "X-PLAYOUT-LIMIT",
            "D.2",
            [.at(.attributes, "case playoutLimit"), .at(.adClock, "func nextInstant(")],
            origin: [.at(.tag, "func playoutLimit(")],
            tests: [read, unknown, "SwarmTests/InterstitialPlayTests/theProgrammeGoesOnAtTheResumeOffset", served]
        ),
        HLSFeature(
            "X-PLAYOUT-LIMIT, added later: early return",
            "D.2; WWDC21 10140",
            [.at(.interstitialFeed, "func update("), .at(.adClock, "func stop(")],
            origin: [.at(.tag, "script.earlyReturn")],
            tests: [
                "SwarmTests/InterstitialPlayTests/aLimitThatIsAddedWhileItPlaysEndsItEarly",
                "SwarmTests/InterstitialPlayTests/aLimitThatHasPassedWhenItIsAddedEndsItAtOnce",
                "OriginTests/InterstitialScheduleTests/earlyReturnIsAddedOnceAndStays",
            ]
        ),
        HLSFeature(
            "X-RESTRICT=SKIP",
            "D.2",
            [.at(.attributes, "word == \"SKIP\"", as: "SKIP"), .at(.navigation, "func skipOffset(")],
            origin: [.at(.tag, "InterstitialName.restrict")],
            spellings: ["X-RESTRICT", "SKIP"],
            tests: [read, "SwarmTests/InterstitialAudienceTests/whereSkippingIsRestrictedNobodyDoes", served]
        ),
        HLSFeature(
            "X-RESTRICT=JUMP",
            "D.2",
            [.at(.attributes, "word == \"JUMP\"", as: "JUMP"), .at(.breakSeeking, "func jumpForward(")],
            origin: [.at(.tag, "InterstitialName.restrict")],
            spellings: ["JUMP"],
            tests: [read, "SwarmTests/InterstitialAudienceTests/aJumpOverItIsForbiddenWhereJumpIsRestricted", served]
        ),
        HLSFeature(
            "X-SNAP=OUT",
            "D.2",
            [.at(.attributes, "word == \"OUT\"", as: "OUT"), .at(.reader, "interstitial.snap.contains(.out)")],
            origin: [.at(.tag, "InterstitialName.snap")],
            spellings: ["X-SNAP", "OUT"],
            tests: [
                read, "SwarmTests/InterstitialPlayTests/theBoundaryNearestToItsStartIsWhereASnappedOneBegins", served,
            ]
        ),
        HLSFeature(
            "X-SNAP=IN",
            "D.2",
            [.at(.attributes, "word == \"IN\"", as: "IN"), .at(.breakPlayhead, "snap.contains(.in)")],
            origin: [.at(.tag, "InterstitialName.snap")],
            spellings: ["IN"],
            tests: [read, "SwarmTests/InterstitialPlayTests/aSnappedReturnIsAtASegmentsBoundary", served]
        ),
        HLSFeature(
            "X-CONTENT-MAY-VARY",
            "D.2",
            [.at(.attributes, "case contentMayVary"), .at(.breakSubject, "isSameForAll: offer", as: "isSameForAll")],
            origin: [.at(.tag, "InterstitialName.contentMayVary"), .at(.service, "func salt(")],
            tests: [
                read, unknown,
                "SwarmTests/InterstitialContentTests/listsAreHeldAgainstEachOtherOnlyWhereTheyMayNotVary",
                "OriginTests/InterstitialServiceTests/everybodyGetsTheSameAssetsUnlessContentVaries", served,
            ]
        ),
        HLSFeature(
            "X-TIMELINE-OCCUPIES (kept for who asks; it speaks of a player's interface)",
            "D.2",
            [.at(.attributes, "case timelineOccupies")],
            origin: [.at(.tag, "InterstitialName.timelineOccupies")],
            spellings: ["X-TIMELINE-OCCUPIES"],
            tests: [read, unknown, served]
        ),
        HLSFeature(
            "X-TIMELINE-STYLE (kept for who asks; it speaks of a player's interface)",
            "D.2",
            [.at(.attributes, "case timelineStyle")],
            origin: [.at(.tag, "InterstitialName.timelineStyle")],
            spellings: ["X-TIMELINE-STYLE"],
            tests: [read, unknown, served]
        ),
        HLSFeature(
            "X-SKIP-CONTROL-OFFSET",
            "D.3",
            [.at(.attributes, "case skipOffset"), .at(.navigation, "func skipOffset(")],
            origin: [.at(.tag, "InterstitialName.skipOffset")],
            tests: [
                read, unknown, "SwarmTests/InterstitialContentTests/aSkipButtonIsPressedInItsTimeAndNotAfterwards",
                served,
            ]
        ),
        HLSFeature(
            "X-SKIP-CONTROL-DURATION",
            "D.3",
            [.at(.attributes, "case skipDuration"), .at(.navigation, "func skipOffset(")],
            origin: [.at(.tag, "InterstitialName.skipDuration")],
            tests: [
                read, unknown, "SwarmTests/InterstitialContentTests/aSkipButtonIsPressedInItsTimeAndNotAfterwards",
                served,
            ]
        ),
        HLSFeature(
            "X-SKIP-CONTROL-LABEL-ID (kept for who asks; it speaks of a player's interface)",
            "D.3",
            [.at(.attributes, "case skipLabel"), .at(.interstitial, "func isLabelID(")],
            origin: [.at(.tag, "InterstitialName.skipLabel")],
            spellings: ["X-SKIP-CONTROL-LABEL-ID"],
            tests: [read, unknown, served]
        ),
        HLSFeature(
            "Several interstitials at one date, in playlist order",
            "D.2",
            [.at(.breakList, "var order"), .at(.breakPlayhead, "func goOn(")],
            origin: [.at(.schedule, "func dateRanges(")],
            tests: [
                "HLSTests/InterstitialTests/interstitialsOfOneDateKeepTheirTagOrder",
                "SwarmTests/InterstitialPlayTests/interstitialsOfOneDateArePlayedInTheirOrderAndTheirOffsetsAddUp",
                "OriginTests/InterstitialScheduleTests/interstitialsOfOneStartKeepTheirOrder",
            ]
        ),
        HLSFeature(
            "Values that nobody knows count as absent",
            "D.2",
            [.at(.attributes, "struct AttributeReader")],
            origin: [.at(.tag, "func addOddities(")],
            tests: [
                unknown, "HLSTests/InterstitialTests/knownMembersOfAListStandBesideUnknownOnes",
                "SwarmTests/InterstitialAudienceTests/aRestrictionOfAnUnknownKindIsNone", served,
            ]
        ),
        HLSFeature(
            "A date range that is taken back: the interstitial is cancelled",
            "WWDC21 10140",
            [.at(.interstitialFeed, "func dropRemoved(")],
            origin: [.at(.schedule, "func dateRanges(")],
            tests: [
                "SwarmTests/InterstitialPlayTests/whatIsTakenAwayBeforeItIsReachedIsCancelled",
                "OriginTests/InterstitialScheduleTests/cancelledInterstitialDisappearsBeforeItsStart",
            ]
        ),
    ]

    /// Asset lists, what goes wrong, the query parameters, and preload ranges.
    static let requests: [HLSFeature] = [
        HLSFeature(
            "ASSETS, URI, DURATION of an asset list",
            "D.2",
            [.at(.assetListJSON, "static let assets = \"ASSETS\"")],
            origin: [.at(.listBody, "struct AssetListBody")],
            tests: [
                "AdServingTests/AssetListTests/readsTheSpecificationsExample",
                "AdServingTests/AssetListTests/whatIsNoListIsTold",
                "OriginTests/InterstitialServiceTests/livePlaylistNamesAListWhoseAssetsPlay",
            ]
        ),
        HLSFeature(
            "SKIP-CONTROL: OFFSET, DURATION, LABEL-ID of an asset list",
            "D.3",
            [.at(.assetListJSON, "enum SkipKey"), .at(.interstitial, "func overridden(")],
            origin: [.at(.listBody, "struct SkipControl")],
            tests: [
                "AdServingTests/AssetListTests/readsTheSpecificationsExample",
                "SwarmTests/InterstitialAudienceTests/aSkipButtonIsPressedWhenItIsThere",
                "OriginTests/InterstitialServiceTests/skipControlAndSignallingStandInTheList",
            ]
        ),
        HLSFeature(
            "The list or the asset fails",
            "D.5",
            [.at(.breakContent, "func failed("), .at(.interstitial, "resumeOffsetOfFailure")],
            origin: [.at(.service, "func answer(")],
            tests: [
                "SwarmTests/InterstitialFetchTests/aListThatFailsLosesTheBreakAndNotASecondOfTheProgramme",
                "SwarmTests/InterstitialFetchTests/whereEveryAssetFailsTheBreakIsLost",
                "OriginTests/InterstitialServiceTests/listCanBeBrokenOnPurpose",
            ]
        ),
        HLSFeature(
            "One asset of a list fails",
            "D.5",
            [.at(.asset, "func failed(")],
            origin: [.at(.service, "func answer(")],
            tests: [
                "SwarmTests/InterstitialFetchTests/oneAssetOfThreeThatFailsIsLeftOut",
                "OriginTests/InterstitialServiceTests/oneAssetOfAListCanFail",
            ]
        ),
        HLSFeature(
            "An empty list",
            "D.5",
            [.at(.interstitial, "var resumeOffsetOfEmptyList"), .at(.breakPlayhead, "resumeOffsetOfEmptyList")],
            origin: [.at(.service, "exchange.effects?.assetList == .empty", as: "list")],
            tests: [
                "AdServingTests/AssetListTests/anEmptyListIsAList",
                "SwarmTests/InterstitialFetchTests/anEmptyListPlaysNothingAndGoesToTheResumeOffset",
                "OriginTests/InterstitialServiceTests/listCanBeBrokenOnPurpose",
            ]
        ),
        HLSFeature(
            "An answer after the player's deadline",
            "D.5; each persona",
            [.at(.attempts, "func isOverdue(")],
            tests: ["SwarmTests/InterstitialFetchTests/anAnswerAfterThePersonasDeadlineIsALostBreak"]
        ),
        HLSFeature(
            "_HLS_primary_id",
            "D.4",
            [.at(.query, "primaryIDParameter ="), .at(.breakContent, "sentPrimaryID"), .at(.asset, "sentPrimaryID")],
            origin: [.at(.names, "primaryParameter =")],
            tests: [
                "HLSTests/InterstitialQueryTests/onlyThePrimaryIdentifierGoesOnAnAsset",
                "SwarmTests/InterstitialFetchTests/thePrimaryIDIsTheViewersOwnAndOnEveryRequest",
                "OriginTests/InterstitialServiceTests/truthTellsWhoAskedForWhat",
            ]
        ),
        HLSFeature(
            "_HLS_start_offset",
            "D.4",
            [.at(.query, "startOffsetParameter ="), .at(.breakContent, "InterstitialQuery(")],
            origin: [.at(.names, "startOffsetParameter =")],
            tests: [
                "HLSTests/InterstitialQueryTests/bothParametersGoOnAnAssetList",
                "SwarmTests/InterstitialPlayTests/whoJoinsInsideBeginsThere",
                "OriginTests/InterstitialServiceTests/listBeginsAtTheStartOffset",
            ]
        ),
        HLSFeature(
            "_HLS_interstitial_id (the packager's; viewers keep it)",
            "D.4",
            [.at(.query, "private func url(", as: "url")],
            origin: [.at(.names, "interstitialParameter =")],
            spellings: ["_HLS_interstitial_id"],
            tests: ["HLSTests/InterstitialQueryTests/bothParametersGoOnAnAssetList", served]
        ),
        HLSFeature(
            "CLASS=com.apple.hls.preload, its end required, CUE and END-ON-NEXT forbidden",
            "F",
            [
                .at(.preload, "classAttribute = \"com.apple.hls.preload\"", as: "classAttribute"),
                .at(.preload, "init?(_ range"),
            ],
            origin: [.at(.names, "preloadClass ="), .at(.tag, "func preload(")],
            spellings: ["com.apple.hls.preload"],
            tests: [
                "HLSTests/PreloadRangeTests/readsAHint", "HLSTests/PreloadRangeTests/whatBreaksTheRulesIsNone",
                "OriginTests/InterstitialScheduleTests/preloadRangeEndsAtTheBreakAndNamesIt",
            ]
        ),
        HLSFeature(
            "X-URI",
            "F",
            [.at(.preload, "case uri = \"X-URI\""), .at(.interstitialFeed, "func discardPreloaded(")],
            origin: [.at(.tag, "InterstitialName.preloadURI")],
            tests: [
                "HLSTests/PreloadRangeTests/aHintServesTheTargetThatItNames",
                "SwarmTests/InterstitialPreloadTests/aRangeThatNamesAnotherURIIsNotUsed",
                "SwarmTests/InterstitialPreloadTests/whatIsLoadedForAnotherURIIsThrownAway",
                "OriginTests/InterstitialScheduleTests/preloadRangeEndsAtTheBreakAndNamesIt",
            ]
        ),
        HLSFeature(
            "X-TARGET-ID, X-TARGET-CLASS",
            "F",
            [.at(.preload, "case targetID"), .at(.preload, "case targetClass"), .at(.preload, "func match(")],
            origin: [.at(.tag, "InterstitialName.preloadTarget")],
            spellings: ["X-TARGET-ID", "X-TARGET-CLASS"],
            tests: [
                "HLSTests/PreloadRangeTests/aHintServesTheTargetThatItNames",
                "HLSTests/PreloadRangeTests/whatBreaksTheRulesIsNone",
                "OriginTests/InterstitialScheduleTests/preloadRangeEndsAtTheBreakAndNamesIt",
            ]
        ),
        HLSFeature(
            "The uniformly random point of a preload range",
            "F",
            [.at(.preload, "func loadDate("), .at(.breakTiming, "func preload(")],
            tests: [
                "HLSTests/PreloadRangeTests/evenDrawsSpreadEvenlyOverTheRange",
                "HLSTests/PreloadRangeTests/theLoadFallsInsideOfWhatIsLeftOfTheRange",
                "SwarmTests/InterstitialPreloadTests/eachViewerAsksAtAPointOfItsOwnWithinTheRange",
                "SwarmTests/InterstitialPreloadTests/itIsNeverAskedForLaterThanWithoutTheRange",
            ]
        ),
    ]

    /// Ad creative signaling: SVTA 2053-2.
    static let signaling: [HLSFeature] = [
        HLSFeature(
            "X-AD-CREATIVE-SIGNALING of a date range",
            "SVTA 2053-2",
            [.at(.attributes, "case creativeSignaling"), .at(.signalingJSON, "init?(attribute")],
            origin: [.at(.tag, "InterstitialName.signalling")],
            spellings: ["X-AD-CREATIVE-SIGNALING"],
            tests: [
                read, unknown, "AdServingTests/CreativeSignalingTests/readsADateRangesAttribute",
                "OriginTests/InterstitialScheduleTests/signallingOnTheTagIsBase64OfItsJSON",
            ]
        ),
        HLSFeature(
            "X-AD-CREATIVE-SIGNALING of an asset list and of its assets",
            "SVTA 2053-2",
            [.at(.assetListJSON, "static let signaling")],
            origin: [.at(.listBody, "case signalling")],
            tests: [
                "AdServingTests/AssetListTests/signalingStandsBesideTheListAndItsAssets",
                "OriginTests/InterstitialServiceTests/skipControlAndSignallingStandInTheList",
            ]
        ),
        HLSFeature(
            "impression, start, firstQuartile, midpoint, thirdQuartile, complete, podStart, podEnd, progress",
            "SVTA 2053-2",
            [.at(.signaling, "func moment("), .at(.tracking, "func send(")],
            origin: [.at(.signallingBody, "struct Tracking")],
            tests: [
                "AdServingTests/CreativeSignalingTests/beaconsFallAtTheirMoments",
                "AdServingTests/CreativeSignalingTests/aPodHasItsSlotsAndEndsAfterThem",
                "SwarmTests/InterstitialAudienceTests/beaconsAreSentAtTheirMoments",
                "OriginTests/InterstitialServiceTests/skipControlAndSignallingStandInTheList",
            ]
        ),
    ]
}
