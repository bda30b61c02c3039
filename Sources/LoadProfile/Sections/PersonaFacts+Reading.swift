import Players

extension ReloadFacts {
    init(reading section: ProfileSection, over standing: ReloadFacts) {
        self.init(
            afterChange: section.value("afterChange", .choice) ?? standing.afterChange,
            unchanged: section.value("unchanged", .choice) ?? standing.unchanged,
            clock: section.value("clock", .choice) ?? standing.clock,
            loadsRenditionsTogether: section.value("renditionsTogether", .boolean) ?? standing.loadsRenditionsTogether,
            stuckAfterTargets: section.targetsOrNever("stuckAfter", over: standing.stuckAfterTargets)
        )
    }
}

extension LowLatencyFacts {
    init(reading section: ProfileSection, over standing: LowLatencyFacts) {
        self.init(
            blocking: section.value("blocking", .choice) ?? standing.blocking,
            skip: section.value("skip", .choice) ?? standing.skip,
            skipsDateRanges: section.value("skipsDateRanges", .boolean) ?? standing.skipsDateRanges,
            dropsDirectivesAfterTargets: section.targetsOrNever(
                "dropsDirectivesAfter",
                over: standing.dropsDirectivesAfterTargets
            ),
            retriesWithoutDirectives: section.value("retriesWithoutDirectives", .boolean)
                ?? standing.retriesWithoutDirectives,
            loadsHints: section.value("hints", .boolean) ?? standing.loadsHints,
            usesRenditionReports: section.value("renditionReports", .boolean) ?? standing.usesRenditionReports,
            sortsParameters: section.value("sortsParameters", .boolean) ?? standing.sortsParameters,
            tuneInTargets: section.targetsOrNever("tuneInTargets", over: standing.tuneInTargets),
            retryWait: section.value("retryWait", .duration(.zero ... .seconds(600))) ?? standing.retryWait
        )
    }
}

extension ProfileSection {
    /// A number of target durations; 0 means never.
    fileprivate func targetsOrNever(_ key: String, over standing: Double?) -> Double? {
        guard let targets = value(key, .number(0...1000)) else { return standing }
        return targets == 0 ? nil : targets
    }
}

extension StartFacts {
    init(reading section: ProfileSection, over standing: StartFacts) {
        self.init(
            point: section.value("point", .choice) ?? standing.point,
            targets: section.value("targets", .number(0...100)) ?? standing.targets
        )
    }
}

extension InterstitialFacts {
    init(reading section: ProfileSection, over standing: InterstitialFacts) {
        self.init(
            trigger: Trigger(reading: section, over: standing.trigger),
            preload: section.value("preload", .choice) ?? standing.preload,
            sendsPrimaryID: section.value("primaryID", .boolean) ?? standing.sendsPrimaryID,
            sendsStartOffset: section.value("startOffset", .boolean) ?? standing.sendsStartOffset,
            loadsOneListAtATime: section.value("oneListAtATime", .boolean) ?? standing.loadsOneListAtATime,
            loadsAssetsTogether: section.value("assetsTogether", .boolean) ?? standing.loadsAssetsTogether,
            sendsBeacons: section.value("beacons", .boolean) ?? standing.sendsBeacons
        )
    }
}

extension InterstitialFacts.Trigger {
    fileprivate init(reading section: ProfileSection, over standing: Self) {
        let kind: InterstitialFacts.TriggerKind = section.value("trigger", .choice) ?? standing.kind
        let lookAhead = section.value("lookAhead", .duration(.zero ... .seconds(600)))
        let leadTargets = section.value("leadTargets", .number(0...100))
        let lead = section.value("lead", .duration(.zero ... .seconds(600)))
        let owners: [(key: String, owner: InterstitialFacts.TriggerKind)] = [
            ("lookAhead", .bufferedOrEdge), ("leadTargets", .playheadTargets), ("lead", .playhead),
        ]
        for (key, owner) in owners {
            section.reading.rule(
                section.fieldPath(key),
                section.fieldPath("trigger"),
                isBroken: section.has(key) && kind != owner,
                message: "belongs to trigger \(owner.rawValue) alone, and the trigger is \(kind.rawValue)"
            )
        }
        switch kind {
        case .buffered: self = .buffered
        case .bufferedOrEdge:
            if case .bufferedOrEdge(let own) = standing {
                self = .bufferedOrEdge(lookAhead: lookAhead ?? own)
            } else {
                self = .bufferedOrEdge(lookAhead: lookAhead ?? .seconds(10))
            }
        case .playheadTargets:
            if case .playheadTargets(let own) = standing {
                self = .playheadTargets(leadTargets ?? own)
            } else {
                self = .playheadTargets(leadTargets ?? 3)
            }
        case .playhead:
            if case .playhead(let own) = standing {
                self = .playhead(lead ?? own)
            } else {
                self = .playhead(lead ?? .seconds(10))
            }
        case .discovery: self = .discovery
        case .never: self = .never
        }
    }
}

extension RequestFacts {
    init(reading section: ProfileSection, over standing: RequestFacts) {
        self.init(
            multivariant: section.section("multivariant") { RequestRule(reading: $0, over: standing.multivariant) },
            playlist: section.section("playlist") { RequestRule(reading: $0, over: standing.playlist) },
            segment: section.section("segment") { RequestRule(reading: $0, over: standing.segment) },
            assetList: section.section("assetList") { RequestRule(reading: $0, over: standing.assetList) },
            asset: section.section("asset") { RequestRule(reading: $0, over: standing.asset) },
            steering: section.section("steering") { RequestRule(reading: $0, over: standing.steering) }
        )
    }
}

extension RequestRule {
    fileprivate init(reading section: ProfileSection, over standing: RequestRule) {
        let range = ScalarRule.duration(.milliseconds(10) ... .seconds(600))
        let retries = section.retries()
        self = standing
        connect = section.value("connect", range) ?? connect
        firstByte = section.value("firstByte", range) ?? firstByte
        total = section.value("total", range) ?? total
        retriesClientErrors = section.value("retriesClientErrors", .boolean) ?? retriesClientErrors
        afterTimeout = section.section("afterTimeout") {
            RetryRule(reading: $0, over: standing.afterTimeout, retries: retries)
        }
        afterError = section.section("afterError") {
            RetryRule(reading: $0, over: standing.afterError, retries: retries)
        }
        afterNoAnswer = section.section("afterNoAnswer") {
            RetryRule(reading: $0, over: standing.afterNoAnswer, retries: retries)
        }
    }
}

extension ProfileSection {
    /// A number of retries; -1 for ever.
    fileprivate func retries() -> Int? { value("retries", .retries) }
}

extension ScalarRule<Int> {
    fileprivate static var retries: ScalarRule {
        let counted = ScalarRule.integer(0...100)
        return ScalarRule(shape: .integer, allowed: "a whole number from -1 to 100") { text in
            text == "-1" ? .value(RetryRule.endless) : counted.read(text)
        }
    }
}

extension RetryRule {
    fileprivate init(reading section: ProfileSection, over standing: RetryRule, retries: Int?) {
        let range = ScalarRule.duration(.zero ... .seconds(600))
        self.init(
            retries: section.retries() ?? retries ?? standing.retries,
            firstWait: section.value("wait", range) ?? standing.firstWait,
            growth: section.value("growth", .choice) ?? standing.growth,
            factor: section.value("factor", .number(0...100)) ?? standing.factor,
            longestWait: section.value("longestWait", range) ?? standing.longestWait,
            fuzz: section.value("fuzz", .number(0...1)) ?? standing.fuzz
        )
    }
}

extension PathwayFacts {
    init(reading section: ProfileSection, over standing: PathwayFacts) {
        self.init(
            followsSteering: section.value("steering", .boolean) ?? standing.followsSteering,
            penalty: section.value("penalty", .duration(.zero ... .seconds(3_600))) ?? standing.penalty
        )
    }
}

extension OutageFacts {
    init(reading section: ProfileSection, over standing: OutageFacts) {
        let range = ScalarRule.duration(.zero ... .seconds(3_600))
        self = standing
        leavesFirst = section.failures("leavesFirst") ?? leavesFirst
        leavesLast = section.failures("leavesLast") ?? leavesLast
        penalty = section.value("penalty", range) ?? penalty
        forgives = section.value("forgives", .boolean) ?? forgives
        noneLeft = section.value("noneLeft", .choice) ?? noneLeft
        pause = section.value("pause", range) ?? pause
        freshPause = section.value("freshPause", range) ?? freshPause
        if let failures = section.value("stopsDryAfter", .integer(0...100)) {
            stopsDryAfter = failures == 0 ? nil : failures
        }
        noChannel = section.value("noChannel", .choice) ?? noChannel
        segment = section.value("segment", .choice) ?? segment
        segmentPause = section.value("segmentPause", range) ?? segmentPause
    }
}

extension ProfileSection {
    /// Names of failures; those that are wrong are reported and left out.
    fileprivate func failures(_ key: String) -> LoadFailures? {
        let names: [(value: LoadFailures.Name, field: String)]? = list(key, of: .choice)
        return names.map { LoadFailures($0.map(\.value)) }
    }
}
