import AdServing
import Curves
import OpenSSL
import Players
import Rulebook
import Thresholds
import Time

extension LoadPlan {
    /// The plan with the digests of what it says now, for one that was changed after it was read.
    package func digested() -> LoadPlan {
        var plan = self
        plan.digest = canonicalDigest()
        plan.workloadDigest = canonicalWorkloadDigest()
        return plan
    }

    /// SHA-256 of the canonical form in lower-case hex.
    ///
    /// Left out are the description, the lines of thresholds, the auth token's key and credentials in headers (only
    /// their presence counts), and the folders of certificate files: none of them changes what is asked of a target.
    /// Everything about the generator and its transport counts, because figures are compared only where they were
    /// taken in the same way.
    func canonicalDigest() -> String {
        Self.hexadecimalHash(of: canonicalLines())
    }

    /// SHA-256 of the workload: what is requested, not from whom, and not what the answers should be.
    ///
    /// Two releases that run side by side have two addresses, and so two profiles with two digests. It leaves out what
    /// `canonicalDigest` leaves out, and also the profile's name, the target's addresses, network code and asset key,
    /// the embedded origin's faults, thresholds and allowed findings. Abort conditions count, because they can cut a
    /// run short.
    func canonicalWorkloadDigest() -> String {
        Self.hexadecimalHash(of: canonicalWorkloadLines())
    }

    private static func hexadecimalHash(of lines: [String]) -> String {
        Digest.hexadecimal(Digest.sha256(of: Array(lines.joined(separator: "\n").utf8)))
    }

    /// One line per value; every text is quoted, so that no value can pretend to be another line.
    func canonicalLines() -> [String] {
        var form = CanonicalForm(title: "podswarm plan 1")
        form.add("name", name)
        form.add("seed", String(seed))
        form.add("duration", duration)
        form.add(target)
        addLoad(to: &form)
        form.add("windows.length", windows.length)
        form.add("windows.failOnDrift", windows.failsOnDrift.map { $0 ? "true" : "false" })
        form.add("thresholds", thresholds.map(\.rule.text).sorted())
        addAbort(to: &form)
        form.add("allowFindings", allowedFindings.map { Self.text(of: $1, code: $0) }.sorted())
        return form.lines
    }

    private static func text(of allowance: FindingAllowance, code: String) -> String {
        switch allowance {
        case .any: code
        case .sightings(let count): "\(code): \(count)"
        case .viewers(let percent): "\(code): \(percent / 100) of viewers"
        }
    }

    func canonicalWorkloadLines() -> [String] {
        var form = CanonicalForm(title: "podswarm workload 1")
        form.add("seed", String(seed))
        form.add("duration", duration)
        form.addKind(of: target)
        addLoad(to: &form)
        addAbort(to: &form)
        return form.lines
    }

    private func addAbort(to form: inout CanonicalForm) {
        form.add("abort.when", abort.map(\.rule.text).sorted())
        form.add("abort.after", abort.isEmpty ? nil : abortAfter)
    }

    private func addLoad(to form: inout CanonicalForm) {
        form.add(audience)
        form.add(playback)
        form.add(breaks)
        form.add(impressions)
        form.add(pods)
        form.add(connection)
        form.add("generator.loops", generator.loops.map(String.init))
        form.add("generator.maximumLateness", generator.maximumLateness)
        form.add("generator.maximumLoopDelay", generator.maximumLoopDelay)
        form.add("generator.maximumHandling", generator.ownMaximumHandling)
        let coreWait = generator.maximumCoreWait
        form.add("generator.maximumCoreWait", coreWait == GeneratorPlan.usualCoreWait ? nil : coreWait)
        form.add("generator.maximumMemory", String(generator.maximumResidentBytes))
        let bodyMemory = generator.bodyMemoryBytes
        form.add("generator.bodyMemory", bodyMemory == GeneratorPlan.usualBodyMemory ? nil : String(bodyMemory))
        form.add("generator.spin", generator.spin == .zero ? nil : generator.spin)
        form.add("generator.slot", generator.slot == GeneratorPlan.usualSlot ? nil : generator.slot)
        form.add("windows.warmUp", windows.warmUp)
    }
}

/// The lines that a digest is taken of.
///
/// Changing what is written here changes every digest, hence the version in the first line. A field of a later version
/// is left out at its default, so that a plan without it keeps its digest.
private struct CanonicalForm {
    private(set) var lines: [String]

    init(title: String) {
        lines = [title]
    }

    mutating func add(_ field: String, _ value: String?) {
        guard let value else { return }
        lines.append("\(field)=\(value.debugDescription)")
    }

    mutating func add(_ field: String, _ value: Duration?) {
        add(field, value.map { String($0.nanosecondsHeld) })
    }

    mutating func add(_ field: String, _ value: Bool) {
        add(field, value ? "true" : "false")
    }

    mutating func add(_ field: String, _ values: [String]) {
        for value in values {
            add(field, value)
        }
    }

    mutating func add(_ field: String, _ values: [String: String]) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            add("\(field).\(key.debugDescription)", value)
        }
    }

    mutating func add(_ target: TargetPlan) {
        add("sessionCookies", target.sessionCookies?.joined(separator: ", "))
        switch target {
        case .embedded(let origin):
            add(origin)
            add("embedded.faults", origin.faultPlanPath)
            add(origin.session)
        case .podServing(let server):
            add("podServing.contentURL", server.contentURL)
            add("podServing.adServer", server.adServer)
            add("podServing.backupAdServer", server.backupAdServer)
            add("podServing.authorisedHosts", server.authorisedHosts.sorted())
            add("podServing.mediaIDs", server.mediaIDs == .prefixes ? nil : server.mediaIDs.rawValue)
            add(server.session)
        case .mediaTailor(let target):
            add("mediaTailor.server", target.server)
            add("mediaTailor.asset", target.asset)
            add("mediaTailor.authorisedHosts", target.authorisedHosts.sorted())
            addLoad(of: target)
        case .eyevinnProxy(let target):
            add("eyevinnProxy.master", target.master)
            add("eyevinnProxy.authorisedHosts", target.authorisedHosts.sorted())
            add("eyevinnProxy.parameters", target.parameters)
        case .urlTemplates(let target):
            add("urlTemplates.content", target.content)
            add("urlTemplates.pod", target.pod)
            add("urlTemplates.session.url", target.session?.url)
            add("urlTemplates.authorisedHosts", target.authorisedHosts.sorted())
            addLoad(of: target)
        }
    }

    /// What of a target makes a difference to the load itself.
    mutating func addKind(of target: TargetPlan) {
        switch target {
        case .embedded(let origin):
            add("target", "embedded")
            add(origin)
            addClaims(of: origin.session)
        case .podServing(let server):
            add("target", "podServing")
            // TLS is paid for by client and server alike.
            add("podServing.contentURL", Self.scheme(of: server.contentURL))
            add("podServing.adServer", Self.scheme(of: server.adServer))
            add("podServing.backupAdServer", server.backupAdServer.map(Self.scheme))
            addClaims(of: server.session)
        case .mediaTailor(let target):
            add("target", "mediaTailor")
            add("mediaTailor.server", Self.scheme(of: target.server))
            addLoad(of: target)
        case .eyevinnProxy(let target):
            add("target", "eyevinnProxy")
            add("eyevinnProxy.master", Self.scheme(of: target.master))
            add("eyevinnProxy.parameters", target.parameters)
        case .urlTemplates(let target):
            add("target", "urlTemplates")
            add("urlTemplates.content", target.content.map(Self.scheme))
            add("urlTemplates.pod", target.pod.map(Self.scheme))
            add("urlTemplates.session.url", target.session.map { Self.scheme(of: $0.url) })
            addLoad(of: target)
        }
    }

    private mutating func addLoad(of target: MediaTailorPlan) {
        add("mediaTailor.session", target.session.rawValue)
        add("mediaTailor.adsParameters", target.adsParameters)
        add("mediaTailor.manifestParameters", target.manifestParameters)
        add("mediaTailor.reporting", target.reporting?.rawValue)
    }

    private mutating func addLoad(of target: URLTemplatesPlan) {
        add("urlTemplates.session.method", target.session?.method.rawValue)
        add("urlTemplates.session.body", target.session?.body)
        add("urlTemplates.session.contentType", target.session?.contentType)
        add("urlTemplates.session.streamID", target.session?.streamID)
        add("urlTemplates.session.content", target.session?.content)
        add("urlTemplates.sessionEnds", target.sessionEnds.sorted().map { String($0) })
    }

    private static func scheme(of url: String) -> String {
        url.prefix { $0 != ":" }.lowercased()
    }

    private mutating func add(_ origin: EmbeddedOriginPlan) {
        add("embedded.tls", origin.usesTLS)
        add("embedded.segmentDuration", origin.segmentDuration)
        add("embedded.windowSegments", String(origin.windowSegments))
        add("embedded.variants", String(origin.variantCount))
        add("embedded.adDuration", origin.adDuration)
        add("embedded.announceBreaks", origin.announcesBreaks)
        add("embedded.sessionValidity", origin.sessionValidity)
        add("embedded.metadataPolling", origin.metadataPollingFrequency)
        add("embedded.channel", origin.channelPlanPath)
        add("embedded.shape", origin.shape == .podServing ? nil : origin.shape.rawValue)
        add("embedded.reporting", origin.reporting?.rawValue)
        add("embedded.aimBy", origin.aimingParameter)
        add("embedded.signing", origin.signing?.rawValue)
        add("embedded.mediaIDs", origin.mediaIDs == .whole ? nil : origin.mediaIDs.rawValue)
        let switches = [
            ("sessionPaths", origin.hasSessionPaths), ("verificationConflicts", origin.hasVerificationConflicts),
            ("sessionPlaylists", origin.hasSessionPlaylists),
            ("redirectMultivariant", origin.redirectsMultivariant), ("closeBreaks", origin.closesBreaks),
            ("cookies", origin.setsCookies),
        ]
        for (name, isOn) in switches where isOn { add("embedded.\(name)", isOn) }
    }

    private mutating func add(_ session: SessionPlan) {
        add("session.networkCode", session.networkCode)
        add("session.customAssetKey", session.customAssetKey)
        addClaims(of: session)
    }

    private mutating func addClaims(of session: SessionPlan) {
        add("session.adTagParameters", session.adTagParameters)
        add("session.authToken", session.authTokenKey == nil ? nil : session.authTokenValidity)
        add("session.custParams", session.custParams)
        add("session.scte35", session.scte35)
        guard let updates = session.updates else { return }
        add("session.updates.share", String(updates.share))
        add("session.updates.every", updates.every)
        add("session.updates.adTagParameters", updates.adTagParameters)
        add("session.updates.body", updates.body.rawValue)
        add("session.updates.sends", updates.extent.rawValue)
    }

    mutating func add(_ audience: AudiencePlan) {
        add("audience.viewers", String(audience.viewers))
        add("audience.ramp", audience.ramp)
        add("audience.churnPerMinute", String(audience.churnPerMinute))
        add("audience.pictureInPicture.share", String(audience.pictureInPicture.share))
        add("audience.pictureInPicture.every", audience.pictureInPicture.every)
        add("audience.pictureInPicture.stay", audience.pictureInPicture.stay)
        // Where nobody is in picture in picture no rule matters, and digests say what was the default at first.
        let rule = audience.pictureInPicture.share > 0 ? audience.pictureInPicture.rule : .deferred
        add("audience.pictureInPicture.rule", rule.rawValue)
        for (index, part) in audience.personas.enumerated() {
            add("audience.personas[\(index)].name", part.persona.name)
            add("audience.personas[\(index)].share", String(part.share))
            for fact in PersonaFact.all where !fact.isSilent(in: part.persona) {
                add("audience.personas[\(index)].\(fact.path)", fact.text(part.persona))
            }
        }
        for trait in audience.traits {
            add("audience.traits.\(trait.name)", trait.source.canonicalText)
        }
        add("audience.skips", audience.skips)
        add("audience.seeks", audience.seeks)
        if let curve = audience.curve { add(curve) }
        if let abandonment = audience.abandonment { add(abandonment) }
    }

    private mutating func add(_ abandonment: AbandonmentPlan) {
        add("audience.abandonment.afterStall", abandonment.afterStall)
        add("audience.abandonment.afterStop", abandonment.afterStop)
        add("audience.abandonment.reopen.share", String(abandonment.reopenShare))
        add("audience.abandonment.reopen.after", abandonment.reopenAfter)
    }

    private mutating func add(_ curve: CurvePlan) {
        let points = curve.points.map { "\($0.at.nanosecondsHeld): \($0.share)" }
        add("audience.curve.points", points.joined(separator: ", "))
        add("audience.curve.by", curve.regions?.trait)
        add("audience.curve.offsets", curve.regions?.offsets.mapValues { String($0.nanosecondsHeld) } ?? [:])
        guard let leaves = curve.breakLeaves else { return }
        add("audience.curve.leaves.share", String(leaves.share))
        add("audience.curve.leaves.within", leaves.within)
        add("audience.curve.leaves.returns", String(leaves.returns))
        add("audience.curve.leaves.returnsWithin", leaves.returnsWithin)
        add("audience.curve.leaves.at", leaves.instants?.map { String($0.nanosecondsHeld) } ?? [])
    }

    private mutating func add(_ field: String, _ navigation: NavigationPlan?) {
        guard let navigation else { return }
        add("\(field).share", String(navigation.share))
        add("\(field).every", navigation.every)
        add("\(field).distance", navigation.distance)
    }

    mutating func add(_ playback: PlaybackPlan) {
        add("playback.variant", playback.variant.rawValue)
        add("playback.reload", playback.reload.rawValue)
        add("playback.segments", playback.segments.rawValue)
        add("playback.verificationPings", playback.sendsVerificationPings)
        add("playback.metadata", playback.pollsMetadata)
        add("playback.playoutLimit", playback.playoutLimit)
        add("playback.verifyDeltaShare", playback.verifyDeltaShare == 0 ? nil : String(playback.verifyDeltaShare))
        add("playback.switchEvery", playback.switchEvery)
        add("playback.renditions.audio", playback.playsAudioRendition ? "true" : nil)
        add("playback.renditions.subtitles", playback.playsSubtitles ? "true" : nil)
        let timed = playback.timedMetadataShare
        add("playback.timedMetadataShare", timed == 1 ? nil : String(timed))
        let stale = playback.staleAfterTargets
        add("playback.staleAfter", stale == PlaybackPlan.usualStaleAfterTargets ? nil : String(stale))
    }

    mutating func add(_ impressions: ImpressionPlan) {
        switch impressions {
        case .allowed: break
        case .withheld: add("impressions", ImpressionPlan.Word.withheld.rawValue)
        case .sink(let server): add("impressionSink", server)
        }
    }

    private mutating func add(_ source: BreakPlan.Source) {
        switch source {
        case .every(let interval, let offset):
            add("breaks.source.every", interval)
            add("breaks.source.offset", offset)
        case .guideMinute(let repeats):
            add("breaks.source.guideMinute.repeats", repeats)
        case .list(let listed):
            for one in listed {
                add("breaks.source.list", one.at)
                add("breaks.source.list.duration", one.duration)
                add("breaks.source.list.scte35", one.scte35)
            }
        case .dateRange(let classAttribute):
            add("breaks.source.dateRange", classAttribute ?? "")
        case .trigger(let trigger):
            // Who calls by what way makes no difference to what is asked.
            add("breaks.source.trigger.lead", trigger.lead)
            add("breaks.source.trigger.mostPerMinute", String(trigger.mostPerMinute))
        case .several(let several):
            for source in several { add(source) }
        case .none:
            add("breaks.source", "none")
        }
    }

    mutating func add(_ breaks: BreakPlan) {
        add(breaks.source)
        add("breaks.podIdentifier", breaks.podIdentifier.rawValue)
        add("breaks.identifierTemplate", breaks.identifierTemplate)
        add("breaks.podDuration", breaks.podDuration)
        add("breaks.trigger", breaks.trigger.rawValue)
        add("breaks.lead", breaks.lead)
        add("breaks.jitter", breaks.jitter)
        add("breaks.grace", breaks.grace)
        add("breaks.preconnect", breaks.preconnect == .zero ? nil : breaks.preconnect)
        add("breaks.resumption", breaks.resumption == .live ? nil : breaks.resumption.rawValue)
        add("breaks.interstitials", breaks.playsInterstitials ? "true" : nil)
        add("breaks.stitched", breaks.recognisesStitched ? "true" : nil)
        add(
            "breaks.stitchedAds",
            breaks.stitchedAds.isEmpty ? nil : breaks.stitchedAds.map(\.text).joined(separator: ", ")
        )
        let tolerance = breaks.announcementTolerance
        add("breaks.announcementTolerance", tolerance == AnnouncementRule.usualTolerance ? nil : tolerance)
    }

    mutating func add(_ pods: PodPlan) {
        // What the field was called, and held, in versions that knew no cohorts.
        let consistency =
            switch pods.match {
            case .all: "same"
            case .session: "per-session"
            case .cohort: pods.match.rawValue
            }
        add("pods.consistency", consistency)
        add("pods.matchStitched", pods.matchStitched?.rawValue)
        add("pods.matchLadder", pods.matchLadder == .all ? nil : pods.matchLadder.rawValue)
        add("pods.matchVarying", pods.matchVarying == .session ? nil : pods.matchVarying.rawValue)
        add("pods.cohort", pods.comparesCohorts ? pods.cohort.joined(separator: ", ") : nil)
        add(
            "pods.ignore",
            pods.ignoredAddressParts.isEmpty ? nil : pods.ignoredAddressParts.map(\.text).joined(separator: ", ")
        )
        add("pods.keep", pods.keptParameters.isEmpty ? nil : pods.keptParameters.joined(separator: ", "))
        add("pods.slate", pods.slate.isEmpty ? nil : pods.slate.map(\.text).joined(separator: ", "))
        add("pods.repeatShare", String(pods.repeatShare))
        add("pods.durationTolerance", pods.durationTolerance)
        add("pods.adTolerance", pods.adTolerance == PodPlan.usualAdTolerance ? nil : pods.adTolerance)
    }

    mutating func add(_ connection: ConnectionPlan) {
        add("connection.protocol", connection.version.rawValue)
        add("connection.verifiesTLS", connection.verifiesTLS)
        add("connection.caFile", connection.caFile.map(Self.fileName))
        add("connection.clientCertificate", connection.clientCertificateFile.map(Self.fileName))
        add("connection.clientKey", connection.clientKeyFile.map(Self.fileName))
        let credentials: Set<String> = ["authorization", "cookie", "proxy-authorization"]
        let folded = connection.headers.map { ($0.lowercased(), $1) }
        let harmless = folded.map { ($0, credentials.contains($0) ? "" : $1) }
        add("connection.headers", Dictionary(harmless, uniquingKeysWith: { first, _ in first }))
        add("connection.compression", connection.acceptsCompression)
        if connection.keepsCookies { add("connection.cookies", true) }
        add("connection.cmcd.carriage", connection.clientData?.carriage.rawValue)
        add("connection.cmcd.contentID", connection.clientData?.contentID)
        if !connection.headerHosts.isEmpty { add("connection.headerHosts", connection.headerHosts.sorted()) }
        add("connection.sourceAddresses", connection.sourceAddresses)
        add("connection.timeouts.connect", connection.connectTimeout)
        add("connection.timeouts.firstByte", connection.firstByteTimeout)
        add("connection.timeouts.total", connection.totalTimeout)
        add("connection.maximumBody", String(connection.maximumBodyBytes))
        for field in BodyLimits.fields {
            let limit = connection.bodyLimits[keyPath: field.value]
            let isUsual = limit == BodyLimits.usual[keyPath: field.value]
            add("connection.limits.\(field.name)", isUsual ? nil : String(limit))
        }
        add("connection.maximumRedirects", String(connection.maximumRedirects))
        add("connection.transport", connection.transport == .auto ? nil : connection.transport.rawValue)
        let handshakes = connection.maximumHandshakes
        add("connection.maximumHandshakes", handshakes == ConnectionPlan.usualHandshakes ? nil : String(handshakes))
        let traceShare = connection.traceShare
        add("connection.traceShare", traceShare == ConnectionPlan.usualTraceShare ? nil : String(traceShare))
    }

    private static func fileName(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }
}
