extension HLSFeatures {
    /// EXT-X-DATERANGE and the attributes that every class has.
    static let dateRanges: [HLSFeature] = [
        HLSFeature(
            "EXT-X-DATERANGE",
            "4.4.5.1",
            [.at(.dateRangeTag, "struct DateRangeTag"), .at(.dateRangeCollector, "struct DateRangeCollector")],
            origin: [.at(.schedule, "func dateRanges(")],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute", "HLSTests/DateRangeTests/illegalTagsAreIgnoredAndNoted",
                "OriginTests/InterstitialScheduleTests/interstitialIsAnnouncedAheadAndKeptWhileItsDatesAreListed",
            ]
        ),
        HLSFeature(
            "ID",
            "4.4.5.1",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"ID\")", as: "ID"),
                .at(.dateRangeCollector, "mutating func consolidate(with"),
            ],
            origin: [.at(.tag, "var identifier: String")],
            tests: [
                "HLSTests/DateRangeTests/tagsOfOneIDAreConsolidated",
                "OriginTests/InterstitialScheduleTests/identifiersAreNeverUsedAgainAndAttributesNeverChange",
            ]
        ),
        HLSFeature(
            "CLASS",
            "4.4.5.1, D.2",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"CLASS\")", as: "CLASS"),
                .at(.interstitial, "classAttribute = \"com.apple.hls.interstitial\"", as: "classAttribute"),
            ],
            origin: [.at(.names, "interstitialClass = \"com.apple.hls.interstitial\"", as: "interstitialClass")],
            spellings: ["com.apple.hls.interstitial"],
            tests: [
                "HLSTests/InterstitialTests/whatSchedulesNothingIsNone",
                "OriginTests/InterstitialScheduleTests/attributeIsWrittenAsTheSpecificationSpellsIt",
            ]
        ),
        HLSFeature(
            "START-DATE",
            "4.4.5.1",
            [.at(.dateRangeTag, "isNamed(attribute, \"START-DATE\")", as: "START-DATE"), .at(.reader, "func start(")],
            origin: [.at(.tag, "startDate: occasion.start")],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute",
                "SwarmTests/InterstitialFetchTests/theListIsAskedForByThePersonasTrigger",
                "OriginTests/InterstitialScheduleTests/attributeIsWrittenAsTheSpecificationSpellsIt",
            ]
        ),
        HLSFeature(
            "END-DATE",
            "4.4.5.1",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"END-DATE\")", as: "END-DATE"),
                .at(.dateRange, "var knownEndDate"),
            ],
            tests: [
                "HLSTests/DateRangeTests/theEndIsKnownFromItsDateOrTheDurationButNotFromAPlan",
                "HLSTests/PreloadRangeTests/readsAHint",
            ]
        ),
        HLSFeature(
            "DURATION",
            "4.4.5.1",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"DURATION\")", as: "DURATION"),
                .at(.interstitial, "var announcedDuration"),
            ],
            origin: [.at(.tag, "script.lengthAttribute == .duration")],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute",
                "SwarmTests/InterstitialPlayTests/whatIsAnnouncedWhenThePlayheadIsInItIsLost",
                "OriginTests/InterstitialScheduleTests/lengthIsToldAsAsked",
            ]
        ),
        HLSFeature(
            "PLANNED-DURATION",
            "4.4.5.1",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"PLANNED-DURATION\")", as: "PLANNED-DURATION"),
                .at(.interstitial, "var announcedDuration"),
            ],
            origin: [.at(.tag, "script.lengthAttribute == .planned")],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute",
                "HLSTests/StitchedBreaksTests/untilTheEndIsKnownThePlanBoundsTheBreak",
                "OriginTests/InterstitialScheduleTests/lengthIsToldAsAsked",
            ]
        ),
        HLSFeature(
            "END-ON-NEXT",
            "4.4.5.1",
            [.at(.dateRangeTag, "isNamed(attribute, \"END-ON-NEXT\")", as: "END-ON-NEXT")],
            tests: [
                "HLSTests/DateRangeTests/endOnNextIsReadWithItsClass",
                "HLSTests/DateRangeTests/illegalTagsAreIgnoredAndNoted",
                "HLSTests/PreloadRangeTests/whatBreaksTheRulesIsNone",
            ]
        ),
        HLSFeature(
            "SCTE35-CMD",
            "4.4.5.1",
            [.at(.dateRangeTag, "isNamed(attribute, \"SCTE35-CMD\")", as: "SCTE35-CMD")],
            tests: ["HLSTests/DateRangeTests/readsEveryAttribute"]
        ),
        HLSFeature(
            "SCTE35-OUT, SCTE35-IN",
            "4.4.5.1",
            [
                .at(.dateRangeTag, "isNamed(attribute, \"SCTE35-OUT\")", as: "SCTE35-OUT"),
                .at(.dateRangeTag, "isNamed(attribute, \"SCTE35-IN\")", as: "SCTE35-IN"),
                .at(.stitched, "scte35Out"),
            ],
            origin: [.at(.markup, "func dateRanges(")],
            spellings: ["SCTE35-OUT", "SCTE35-IN"],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute",
                "HLSTests/StitchedBreaksTests/aPairOfDateRangesMarksABreak",
                "OriginTests/StitchedTests/dateRangeIsAnnouncedAndEndedWithOneID",
            ]
        ),
        HLSFeature(
            "CUE=PRE",
            "4.4.5.1",
            [.at(.dateRange, "case pre = \"PRE\""), .at(.breakOffer, "var isPreRoll")],
            origin: [.at(.tag, "cue: script.cue")],
            spellings: ["CUE", "PRE"],
            tests: [
                "SwarmTests/InterstitialPlayTests/aPreRollComesBeforeTheProgrammeAndOnlyForWhoJoins",
                "OriginTests/InterstitialScheduleTests/cueIsWrittenAsAsked",
            ]
        ),
        HLSFeature(
            "CUE=POST",
            "4.4.5.1",
            [.at(.dateRange, "case post = \"POST\""), .at(.interstitialOffer, "var isPostRoll")],
            origin: [.at(.tag, "cue: script.cue")],
            spellings: ["POST"],
            tests: [
                "SwarmTests/InterstitialPlayTests/aPostRollComesWhenTheChannelHasEnded",
                "OriginTests/InterstitialScheduleTests/cueIsWrittenAsAsked",
            ]
        ),
        HLSFeature(
            "CUE=ONCE",
            "4.4.5.1",
            [
                .at(.dateRange, "case once = \"ONCE\""), .at(.breakOffer, "var isOnce"),
                .at(.interstitialFeed, "func remember("),
            ],
            origin: [.at(.tag, "cue: script.cue")],
            spellings: ["ONCE"],
            tests: [
                "SwarmTests/InterstitialAudienceTests/whatIsForOnceDoesNotComeAgain",
                "OriginTests/InterstitialScheduleTests/cueIsWrittenAsAsked",
            ]
        ),
        HLSFeature(
            "X- attributes of others",
            "4.4.5.1",
            [.at(.dateRangeTag, "func keep("), .at(.attributes, "userAttributes =")],
            origin: [.at(.tag, "\"X-COM-EXAMPLE-UNKNOWN\"", as: "X-COM-EXAMPLE-UNKNOWN")],
            tests: [
                "HLSTests/DateRangeTests/readsEveryAttribute",
                "HLSTests/InterstitialTests/readsEveryAttributeOfTheClass",
                "HLSTests/SpecificationExamplesTests/mediaPlaylistsKeepEveryAttribute",
            ]
        ),
    ]
}
