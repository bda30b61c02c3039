extension HLSFeatures {
    private static let variablesServed: FeatureTest = "OriginTests/LowLatencyServiceTests/variablesLeadToEveryFile"
    private static let clonesRead: FeatureTest = "AdServingTests/SteeringManifestTests/readsEveryMember"
    private static let steered: FeatureTest = "OriginTests/SteeringTests/priorityChangesWithTime"

    /// EXT-X-DEFINE in its three forms.
    static let variables: [HLSFeature] = [
        HLSFeature(
            "EXT-X-DEFINE: NAME, VALUE",
            "4.4.2.3",
            [.at(.header, "isNamed(attribute, \"NAME\")", as: "NAME"), .at(.expansion, "struct VariableExpansion")],
            origin: [.at(.originMultivariant, "definitions")],
            spellings: ["EXT-X-DEFINE", "NAME", "VALUE"],
            tests: [
                "HLSTests/VariableExpansionTests/referencesAreReplacedInURIsStringsAndHexadecimals",
                "HLSTests/VariableExpansionTests/mistakesFailWithTheirLine", variablesServed,
            ]
        ),
        HLSFeature(
            "EXT-X-DEFINE: IMPORT",
            "4.4.2.3",
            [
                .at(.header, "isNamed(attribute, \"IMPORT\")", as: "IMPORT"),
                .at(.scope, "func exported(", as: "exported"),
            ],
            origin: [.at(.livePlaylist, "imported")],
            spellings: ["IMPORT"],
            tests: [
                "HLSTests/VariableExpansionTests/multivariantValuesCanBeImported",
                "HLSTests/VariableExpansionTests/importsBelongInMediaPlaylistsOnly", variablesServed,
            ]
        ),
        HLSFeature(
            "EXT-X-DEFINE: QUERYPARAM",
            "4.4.2.3",
            [.at(.header, "isNamed(attribute, \"QUERYPARAM\")", as: "QUERYPARAM"), .at(.scope, "func queryValue(")],
            origin: [.at(.livePlaylist, "queryParameter")],
            spellings: ["QUERYPARAM"],
            tests: [
                "HLSTests/VariableExpansionTests/referencesAreReplacedInURIsStringsAndHexadecimals",
                "HLSTests/VariableExpansionTests/aQueryCannotForgeLinesOrStrings", variablesServed,
            ]
        ),
    ]

    /// Content steering: the tag, the requests, the manifest.
    static let steering: [HLSFeature] = [
        HLSFeature(
            "EXT-X-CONTENT-STEERING: SERVER-URI",
            "4.4.6.6",
            [.at(.streamTag, "case \"SERVER-URI\"", as: "SERVER-URI"), .at(.steeringViewer, "func ask(")],
            origin: [.at(.originMultivariant, "ContentSteering(", as: "ContentSteering")],
            spellings: ["EXT-X-CONTENT-STEERING", "SERVER-URI"],
            tests: [
                "HLSTests/ContentSteeringTests/theTagAndPathwaysAreReadAndWritten",
                "SwarmTests/SteeringTests/theServerIsToldThePathwayAndTheThroughput",
                "OriginTests/SteeringTests/everyPathwayLeadsToTheSameChannelAndIsCounted",
            ]
        ),
        HLSFeature(
            "A manifest in the playlist: SERVER-URI=data:",
            "4.4.6.6; RFC 2397",
            [.at(.steeringTag, "enum DataURI"), .at(.multivariant, "inlineSteering")],
            tests: [
                "HLSTests/ContentSteeringTests/dataURIsAreDecoded",
                "AdServingTests/SteeringManifestTests/aDataURICarriesAManifest",
                "SwarmTests/SteeringTests/aManifestInsideOfThePlaylistNeedsNoRequest",
            ]
        ),
        HLSFeature(
            "PATHWAY-ID, of the tag and of variants",
            "4.4.6.6, 4.4.6.2",
            [
                .at(.streamTag, "case \"PATHWAY-ID\"", as: "PATHWAY-ID"),
                .at(.steeringTag, "var pathwayID: String {", as: "pathwayID"),
            ],
            origin: [.at(.originMultivariant, "pathway")],
            spellings: ["PATHWAY-ID"],
            tests: [
                "HLSTests/ContentSteeringTests/theTagAndPathwaysAreReadAndWritten",
                "SwarmTests/SteeringTests/playbackBeginsOnTheNamedPathway",
                "OriginTests/SteeringTests/everyPathwayLeadsToTheSameChannelAndIsCounted",
            ]
        ),
        HLSFeature(
            "_HLS_pathway, _HLS_throughput",
            "7.2",
            [.at(.steeringTag, "pathwayParameter ="), .at(.steeringTag, "throughputParameter =")],
            origin: [.at(.originDelivery, "\"_HLS_pathway\"", as: "_HLS_pathway")],
            spellings: ["_HLS_pathway", "_HLS_throughput"],
            tests: [
                "HLSTests/ContentSteeringTests/aRequestCarriesPathwayAndThroughput",
                "SwarmTests/SteeringTests/theServerIsToldThePathwayAndTheThroughput", steered,
            ]
        ),
        HLSFeature(
            "VERSION, TTL, RELOAD-URI",
            "7.1",
            [
                .at(.steeringJSON, "timeToLive = \"TTL\"", as: "TTL"),
                .at(.steeringJSON, "reloadURI = \"RELOAD-URI\"", as: "RELOAD-URI"),
                .at(.steeringJSON, "version = \"VERSION\"", as: "VERSION"),
            ],
            origin: [.at(.steeringService, "RELOAD-URI")],
            tests: [
                clonesRead, "AdServingTests/SteeringManifestTests/withoutATimeToLiveItIsFiveMinutes",
                "SwarmTests/SteeringTests/aManifestThatChangesNothingSwitchesNothing", steered,
            ]
        ),
        HLSFeature(
            "PATHWAY-PRIORITY",
            "7.1",
            [
                .at(.steeringJSON, "priority = \"PATHWAY-PRIORITY\"", as: "PATHWAY-PRIORITY"),
                .at(.steeringViewer, "func preferred("),
            ],
            origin: [.at(.steeringService, "PATHWAY-PRIORITY")],
            tests: [
                clonesRead, "SwarmTests/SteeringTests/thePreferredPathwayIsTakenAtOnceWithTheSameVariant", steered,
            ]
        ),
        HLSFeature(
            "PATHWAY-CLONES: BASE-ID, ID, HOST, PARAMS, PER-VARIANT-URIS, PER-RENDITION-URIS",
            "7.1",
            [.at(.steeringJSON, "clones = \"PATHWAY-CLONES\"", as: "PATHWAY-CLONES"), .at(.clones, "func adding(")],
            tests: [
                clonesRead, "HLSTests/ContentSteeringTests/aCloneReplacesHostParametersAndWholeURIs",
                "SwarmTests/SteeringTests/aClonedPathwayCanBePlayed",
            ]
        ),
        HLSFeature(
            "STABLE-VARIANT-ID",
            "4.4.6.2",
            [.at(.steeringTag, "\"STABLE-VARIANT-ID\"", as: "STABLE-VARIANT-ID")],
            spellings: ["STABLE-VARIANT-ID"],
            tests: ["HLSTests/ContentSteeringTests/aCloneReplacesHostParametersAndWholeURIs"]
        ),
        HLSFeature(
            "STABLE-RENDITION-ID",
            "4.4.6.1",
            [.at(.steeringTag, "\"STABLE-RENDITION-ID\"", as: "STABLE-RENDITION-ID")],
            spellings: ["STABLE-RENDITION-ID"],
            tests: ["HLSTests/ContentSteeringTests/aCloneReplacesAWholeRenditionByItsStableID"]
        ),
        HLSFeature(
            "429 with Retry-After, 410",
            "7.2",
            [.at(.steeringViewer, "func failed(")],
            origin: [.at(.steeringService, "func refuses(")],
            tests: [
                "SwarmTests/SteeringTests/aBusyServerIsAskedAgainWhenItSays",
                "SwarmTests/SteeringTests/aServerThatIsGoneIsNotAskedAgain",
                "OriginTests/SteeringTests/aShareIsToldToComeBackAndMayThen",
            ]
        ),
        HLSFeature(
            "The penalty of a pathway that fails",
            "7.2",
            [.at(.steeringViewer, "func penalise(")],
            tests: ["SwarmTests/SteeringTests/aPathwayThatFailsIsLeftForTwoMinutes"]
        ),
    ]

    /// What else a live channel says that decides how it is played.
    static let channel: [HLSFeature] = [
        HLSFeature(
            "EXT-X-START: TIME-OFFSET, PRECISE",
            "4.4.2.2",
            [.at(.header, "func start("), .at(.start, "func startDistance(")],
            tests: [
                "HLSTests/MediaPlaylistParserTests/readsEveryTagOfALivePlaylist",
                "SwarmTests/PlayheadTests/startsWhereItsFactsSay",
            ]
        ),
        HLSFeature(
            "EXT-X-PROGRAM-DATE-TIME",
            "4.4.4.6",
            [
                .at(.playlistTag, "\"-X-PROGRAM-DATE-TIME\"", as: "EXT-X-PROGRAM-DATE-TIME"),
                .at(.playhead, "func instant("),
            ],
            origin: [.at(.listing, "#EXT-X-PROGRAM-DATE-TIME", as: "EXT-X-PROGRAM-DATE-TIME")],
            tests: [
                "HLSTests/MediaPlaylistParserTests/datesExtrapolateForwardAndBackward",
                "SwarmTests/PlayheadTests/whatIsListedLateIsLatencyToo",
            ]
        ),
        HLSFeature(
            "EXT-X-MEDIA: audio and subtitle renditions, each with a reload loop",
            "4.4.6.1, 6.3.4",
            [.at(.streamTag, "func rendition("), .at(.multivariant, "var chosenRenditions")],
            origin: [.at(.originMultivariant, "renditions")],
            tests: [
                "HLSTests/MultivariantPlaylistTests/readsVariantsAndRenditions",
                "SwarmTests/RenditionTests/eachRenditionHasALoopOfItsOwn",
                "OriginTests/LowLatencyServiceTests/renditionGroupsNameTheirPlaylists",
            ]
        ),
    ]
    private static let tagsOfALivePlaylist: FeatureTest =
        "HLSTests/MediaPlaylistParserTests/readsEveryTagOfALivePlaylist"

    /// Targets beside Google's pod serving.
    static let targets: [HLSFeature] = [
        HLSFeature(
            "MediaTailor, implicit: GET /v1/master/, aws.insertionMode=GUIDED, ads.*, manifest.*",
            "MediaTailor user guide",
            [
                .at(.mediaTailorNames, "masterPath = \"/v1/master/\"", as: "masterPath"),
                .at(.mediaTailorNames, "\"aws.insertionMode\"", as: "insertionModeParameter"),
                .at(.mediaTailor, "func masterURL("),
            ],
            origin: [.at(.originTargets, "func tailorMultivariant(")],
            tests: [
                "AdServingTests/TargetAdapterTests/anImplicitMediaTailorSessionIsMadeByItsFirstPlaylist",
                "SwarmTests/TargetSessionTests/anImplicitSessionIsMadeByThePlaylistAlone",
                "OriginTests/TargetShapeTests/implicitGuidedSessionSharesItsMediaPlaylists",
            ]
        ),
        HLSFeature(
            "MediaTailor, explicit: POST /v1/session/, manifestUrl, aws.sessionId",
            "MediaTailor user guide",
            [
                .at(.mediaTailorNames, "sessionPath = \"/v1/session/\"", as: "sessionPath"),
                .at(.mediaTailorNames, "\"aws.sessionId\"", as: "sessionIDParameter"),
                .at(.mediaTailorNames, "\"manifestUrl\"", as: "manifestURL"),
            ],
            origin: [.at(.originTargets, "func tailorSession(")],
            tests: [
                "AdServingTests/TargetAdapterTests/anExplicitMediaTailorSessionIsAPostWithJSON",
                "AdServingTests/TargetAdapterTests/theAnswerNamesThePlaylistOfTheSession",
                "SwarmTests/TargetSessionTests/anExplicitSessionComesBeforeTheChannel",
                "OriginTests/TargetShapeTests/explicitGuidedSessionExpires",
            ]
        ),
        HLSFeature(
            "MediaTailor, reported by the client: reportingMode, aws.reportingMode=CLIENT, TRACKING of an asset list",
            "MediaTailor user guide",
            [
                .at(.mediaTailorNames, "\"aws.reportingMode\"", as: "reportingModeParameter"),
                .at(.assetListJSON, "static let tracking = \"TRACKING\"", as: "static let tracking"),
                .at(.availTracking, "func take("),
                .at(.availTrackingJSON, "struct TrackingSection"),
            ],
            origin: [
                .at(.originTailorReporting, "struct TailorReporting"),
                .at(.originAvailTracking, "struct AvailTrackingBody"),
            ],
            tests: [
                "AdServingTests/TargetAdapterTests/whoReportsIsSaidAtTheBeginning",
                "AdServingTests/AvailTrackingTests/eachAdsBeaconsAreItsAssets",
                "SwarmTests/InterstitialAudienceTests/beaconsOfATrackingSectionAreSentAtTheirMoments",
                "OriginTests/TargetShapeTests/sessionsThatReportThemselvesAreToldWhatToSend",
            ]
        ),
        HLSFeature(
            "Eyevinn's guided proxy",
            "Eyevinn's source",
            [.at(.eyevinn, "struct EyevinnProxyTarget")],
            origin: [.at(.proxySlots, "func command(")],
            tests: [
                "AdServingTests/TargetAdapterTests/theGuidedProxyNeedsNoSession",
                "SwarmTests/TargetSessionTests/theGuidedProxyIsAskedAtOnce",
                "OriginTests/TargetShapeTests/commandedBreakIsListedByTheProxy",
            ]
        ),
        HLSFeature(
            "URL templates: {viewer}, {stream_id}, {break}, {start}, {duration_ms}, {scte35}, {primary_id}",
            "podswarm's own",
            [
                .at(.template, "struct Placeholder"), .at(.templateTarget, "func podURL("),
                .at(.viewerTarget, "func templatePodURL("),
            ],
            origin: [.at(.targetRoute, "func template(")],
            tests: [
                "AdServingTests/TargetAdapterTests/everyPlaceholderIsFilledAndEncoded",
                "AdServingTests/TargetAdapterTests/templatesMakeTheSessionTheContentAndThePod",
                "SwarmTests/TargetSessionTests/templatesNameTheSessionTheChannelAndThePod",
                "OriginTests/TargetShapeTests/templatesNameSessionContentAndPod",
            ]
        ),
    ]
}
