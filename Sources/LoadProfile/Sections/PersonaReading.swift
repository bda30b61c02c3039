extension ProfileSection {
    /// Reads `personas`: names of known players, or mappings that name a player and change some of its facts.
    func personaShares() -> [PersonaShare] {
        var names: Set<String> = []
        let entries = sections("personas", shorthand: "persona") { entry in
            let known: KnownPersonaName? = entry.required("persona", .choice)
            var persona = (known?.entry ?? .strict).persona
            let share = entry.value("share", .share)
            persona.name = entry.value("name", .name) ?? persona.name
            entry.overrideFacts(of: &persona)
            reading.rule(
                entry.has("name") ? entry.fieldPath("name") : entry.path,
                isBroken: entry.isPresent && known != nil && !names.insert(persona.name).inserted,
                message: "the name \"\(persona.name)\" stands twice",
                allowed: "a name of its own for each persona, such as name: \(persona.name)-2"
            )
            return (persona: persona, share: share)
        }
        let field = fieldPath("personas")
        reading.rule(field, isBroken: has("personas") && entries.isEmpty, message: "has no persona in it")
        reading.rule(field, isBroken: entries.count > 32, message: "has more than 32 personas in it")
        let given = entries.compactMap(\.share).reduce(0, +)
        let open = entries.filter { $0.share == nil }.count
        reading.rule(
            field,
            isBroken: given > 1.000_001 || (open == 0 && !entries.isEmpty && given < 0.999_999),
            message: "the shares add up to \(Self.percent(given))",
            allowed: "100%; what is left is divided among personas without a share"
        )
        let rest = open == 0 ? 0 : max(0, 1 - given) / Double(open)
        return entries.map { PersonaShare($0.persona, share: $0.share ?? rest) }
    }

    private static func percent(_ share: Double) -> String {
        let tenths = (share * 1000).rounded()
        return tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))%" : "\(tenths / 10)%"
    }

    fileprivate func overrideFacts(of persona: inout Persona) {
        let lowLatency = persona.lowLatency
        persona.reload = section("reload") { $0.reloadFacts(persona.reload) }
        persona.lowLatency = section("lowLatency") { $0.lowLatencyFacts(lowLatency) }
        persona.start = section("start") { section in
            StartFacts(
                point: section.value("point", .choice) ?? persona.start.point,
                targets: section.value("targets", .number(0...100)) ?? persona.start.targets
            )
        }
        persona.interstitials = section("interstitials") { $0.interstitialFacts(persona.interstitials) }
        persona.requests.multivariant = section("multivariant") { $0.requestRule(persona.requests.multivariant) }
        persona.requests.playlist = section("playlist") { $0.requestRule(persona.requests.playlist) }
        persona.requests.segment = section("segment") { $0.requestRule(persona.requests.segment) }
        persona.requests.assetList = section("assetList") { $0.requestRule(persona.requests.assetList) }
        persona.requests.asset = section("asset") { $0.requestRule(persona.requests.asset) }
        persona.requests.steering = section("steering") { $0.requestRule(persona.requests.steering) }
        persona.pathways = section("pathways") { section in
            PathwayFacts(
                followsSteering: section.value("steering", .boolean) ?? persona.pathways.followsSteering,
                penalty: section.value("penalty", .duration(.zero ... .seconds(3_600))) ?? persona.pathways.penalty
            )
        }
        persona.maximumDownloads = value("maximumDownloads", .integer(1...64)) ?? persona.maximumDownloads
    }

    private func reloadFacts(_ facts: ReloadFacts) -> ReloadFacts {
        ReloadFacts(
            afterChange: value("afterChange", .choice) ?? facts.afterChange,
            unchanged: value("unchanged", .choice) ?? facts.unchanged,
            clock: value("clock", .choice) ?? facts.clock,
            loadsRenditionsTogether: value("renditionsTogether", .boolean) ?? facts.loadsRenditionsTogether,
            stuckAfterTargets: targetsOrNever("stuckAfter", facts.stuckAfterTargets)
        )
    }

    private func lowLatencyFacts(_ facts: LowLatencyFacts) -> LowLatencyFacts {
        LowLatencyFacts(
            blocking: value("blocking", .choice) ?? facts.blocking,
            skip: value("skip", .choice) ?? facts.skip,
            skipsDateRanges: value("skipsDateRanges", .boolean) ?? facts.skipsDateRanges,
            dropsDirectivesAfterTargets: targetsOrNever("dropsDirectivesAfter", facts.dropsDirectivesAfterTargets),
            retriesWithoutDirectives: value("retriesWithoutDirectives", .boolean) ?? facts.retriesWithoutDirectives,
            loadsHints: value("hints", .boolean) ?? facts.loadsHints,
            usesRenditionReports: value("renditionReports", .boolean) ?? facts.usesRenditionReports,
            sortsParameters: value("sortsParameters", .boolean) ?? facts.sortsParameters,
            tuneInTargets: targetsOrNever("tuneInTargets", facts.tuneInTargets)
        )
    }

    /// A number of target durations; 0 means never.
    private func targetsOrNever(_ key: String, _ standing: Double?) -> Double? {
        guard let targets = value(key, .number(0...1000)) else { return standing }
        return targets == 0 ? nil : targets
    }

    private func interstitialFacts(_ facts: InterstitialFacts) -> InterstitialFacts {
        var facts = facts
        facts.trigger = interstitialTrigger(facts.trigger)
        facts.preload = value("preload", .choice) ?? facts.preload
        facts.sendsPrimaryID = value("primaryID", .boolean) ?? facts.sendsPrimaryID
        facts.sendsStartOffset = value("startOffset", .boolean) ?? facts.sendsStartOffset
        facts.loadsOneListAtATime = value("oneListAtATime", .boolean) ?? facts.loadsOneListAtATime
        facts.loadsAssetsTogether = value("assetsTogether", .boolean) ?? facts.loadsAssetsTogether
        facts.sendsBeacons = value("beacons", .boolean) ?? facts.sendsBeacons
        return facts
    }

    private func interstitialTrigger(_ standing: InterstitialFacts.Trigger) -> InterstitialFacts.Trigger {
        let kind: InterstitialFacts.TriggerKind = value("trigger", .choice) ?? standing.kind
        let lookAhead = value("lookAhead", .duration(.zero ... .seconds(600)))
        let leadTargets = value("leadTargets", .number(0...100))
        let lead = value("lead", .duration(.zero ... .seconds(600)))
        let owners: [(key: String, owner: InterstitialFacts.TriggerKind)] = [
            ("lookAhead", .bufferedOrEdge), ("leadTargets", .playheadTargets), ("lead", .playhead),
        ]
        for (key, owner) in owners {
            reading.rule(
                fieldPath(key),
                fieldPath("trigger"),
                isBroken: has(key) && kind != owner,
                message: "belongs to trigger \(owner.rawValue) alone, and the trigger is \(kind.rawValue)"
            )
        }
        switch kind {
        case .buffered: return .buffered
        case .bufferedOrEdge:
            guard case .bufferedOrEdge(let own) = standing else {
                return .bufferedOrEdge(lookAhead: lookAhead ?? .seconds(10))
            }
            return .bufferedOrEdge(lookAhead: lookAhead ?? own)
        case .playheadTargets:
            guard case .playheadTargets(let own) = standing else { return .playheadTargets(leadTargets ?? 3) }
            return .playheadTargets(leadTargets ?? own)
        case .playhead:
            guard case .playhead(let own) = standing else { return .playhead(lead ?? .seconds(10)) }
            return .playhead(lead ?? own)
        case .discovery: return .discovery
        case .never: return .never
        }
    }

    private func requestRule(_ rule: RequestRule) -> RequestRule {
        let range = ScalarRule.duration(.milliseconds(10) ... .seconds(600))
        let retries = value("retries", .integer(0...100))
        var rule = rule
        rule.connect = value("connect", range) ?? rule.connect
        rule.firstByte = value("firstByte", range) ?? rule.firstByte
        rule.total = value("total", range) ?? rule.total
        rule.retriesClientErrors = value("retriesClientErrors", .boolean) ?? rule.retriesClientErrors
        rule.afterTimeout = section("afterTimeout") { $0.retryRule(rule.afterTimeout, retries: retries) }
        rule.afterError = section("afterError") { $0.retryRule(rule.afterError, retries: retries) }
        return rule
    }

    private func retryRule(_ rule: RetryRule, retries: Int?) -> RetryRule {
        let range = ScalarRule.duration(.zero ... .seconds(600))
        return RetryRule(
            retries: value("retries", .integer(0...100)) ?? retries ?? rule.retries,
            firstWait: value("wait", range) ?? rule.firstWait,
            growth: value("growth", .choice) ?? rule.growth,
            factor: value("factor", .number(0...100)) ?? rule.factor,
            longestWait: value("longestWait", range) ?? rule.longestWait,
            fuzz: value("fuzz", .number(0...1)) ?? rule.fuzz
        )
    }
}

/// The players that a profile may name.
private enum KnownPersonaName: String, CaseIterable {
    case strict
    case hlsjs
    case media3
    case shaka
    case vhs
    case avplayer
    case imaGuide = "ima-guide"
    case eager

    var entry: KnownPersona? { KnownPersona.named(rawValue) }
}

extension ScalarRule<Double> {
    /// A number without a unit.
    static func number(_ range: ClosedRange<Double>) -> ScalarRule {
        func spelled(_ bound: Double) -> String {
            bound == bound.rounded() ? String(Int(bound)) : String(bound)
        }
        let allowed = "a number from \(spelled(range.lowerBound)) to \(spelled(range.upperBound))"
        return ScalarRule(shape: .number, allowed: allowed) { text in
            guard let number = QuantityText.decimal(text[...]) else { return .refused("is not a number") }
            return range.contains(number) ? .value(number) : .refused("is not in range")
        }
    }
}
