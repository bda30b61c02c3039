import AdServing
package import Profile
import Rules
import Values

/// Valid profile for a surveyed stream.
package struct ProfileDraft: Sendable {
    /// Errors of a draft that does not validate.
    package struct Refusal: Error {
        package var errors: ProfileErrors
        /// All errors are in hosts or the ad server's event, which the user gave.
        package var isOfOptions: Bool
    }

    package let text: String
    package let secrets: [ReferencedSecrets.Secret]
    /// Otherwise a check has no break to wait for.
    package private(set) var asksForAds = true

    /// Fails for an invalid draft.
    package init(_ facts: StreamFacts, _ options: DraftOptions) throws(Refusal) {
        let secrets = ReferencedSecrets(in: facts.address, headers: options.headers, keepsPath: options.keepsPath)
        let target = DraftedTarget(facts, options, secrets)
        let breaks = DraftedBreaks(facts, target.kind, secrets)
        var lines = target.head + Self.name(of: options.file)
        lines.append("description: Ten viewers of a channel that podswarm init looked at.")
        lines += ["duration: \(breaks.duration.text)", "seed: 1", ""]
        lines += target.podServingAdvice + target.lines + [""] + target.audience + [""]
        lines += DraftedChannel.lines(facts, breaks.announced) + breaks.breaks + [""] + target.pods
        lines += target.connection + ["thresholds:"] + breaks.thresholds + target.allowances
        text = lines.joined(separator: "\n") + "\n"
        self.secrets = secrets.all
        asksForAds = !(try check(options.file, secrets.environment)).breaks.asksForNoAds
    }

    private func check(_ file: String, _ environment: [String: String]) throws(Refusal) -> LoadPlan {
        let known = environment.merging(secrets.map { ($0.variable, $0.value) }) { given, _ in given }
        var surroundings = ProfileSurroundings.process
        surroundings.environmentVariable = { [outer = surroundings.environmentVariable] in known[$0] ?? outer($0) }
        do throws(ProfileErrors) {
            return try ProfileReader(surroundings: surroundings).read(yaml: text, path: file)
        } catch {
            let given = ["adServer", "networkCode", "customAssetKey", "authorisedHosts", "caFile"]
            let isOfOptions = error.problems.allSatisfy { problem in given.contains { problem.field.contains($0) } }
            throw Refusal(errors: error, isOfOptions: isOfOptions)
        }
    }

    /// Only if the file's name (the default) is not a valid name of a results folder.
    private static func name(of file: String) -> [String] {
        let name = file.split(separator: "/").last ?? ""
        let stem = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
        let plain = stem.unicodeScalars.map { DraftedTarget.isPlain($0) ? Character($0) : "-" }
        let begun = String(plain.drop { !$0.isLetter && !$0.isNumber }.prefix(64))
        guard begun.isEmpty || begun != stem else { return [] }
        return ["name: \(YAMLScalar.quoted(begun.isEmpty ? "channel" : begun))"]
    }
}

/// Sections that the stream and the options decide.
extension DraftedTarget {
    fileprivate var head: [String] {
        let file = YAMLScalar.comment(options.file)
        return [
            "# A load profile for \(YAMLScalar.comment(facts.address.origin.description)), drafted by podswarm init. Observed values are filled in;",
            "# what could not be known is marked FILL IN. As it stands it is valid. Then, in this order:",
            "#",
            "#   podswarm profile validate \(file)      finds every mistake in the file",
            "#   podswarm check \(file)                 walks one viewer through it and explains each step",
            "#   podswarm run \(file)                   ten viewers, before a run with thousands",
            "#",
            "# Load only what you answer for: but for this machine itself, nothing is ever fetched from a host that",
            "# authorisedHosts does not name.",
            "",
        ]
    }

    fileprivate var audience: [String] {
        var lines = [
            "audience:", "  viewers: 10", "  ramp: 5s",
            "  # FILL IN: the players of your audience and their shares; podswarm profile personas shows what there is.",
            "  personas: [hlsjs, avplayer]", "", "playback:",
        ]
        let media = facts.media
        let delivery = media.lowLatency
        if !delivery.isEmpty { lines.append("  # Seen: \(delivery).") }
        if let method = media.encryption {
            let shown = YAMLScalar.comment(secrets.told(method))
            lines.append("  # Seen: segments are encrypted (\(shown)); keys are not asked for.")
        }
        lines += [
            "  # Playlists only. Segments of the channel may be views of ads: see impressions in the documentation.",
            "  segments: none",
        ]
        switch kind {
        case .channel, .mediaTailor: lines += ["  metadata: false", "  verificationPings: false"]
        case .podServing:
            lines += [
                "  metadata: true", "",
                "# Pings are billable impressions: none is sent until you allow it.",
                "# impressions: allowed",
            ]
        }
        return lines
    }

    fileprivate var pods: [String] {
        var lines: [String] = []
        let match = "  match: session # FILL IN: all, if all viewers of a break must see the same ads"
        // MediaTailor decides on the ads of each playback session (user guide, "How MediaTailor ad insertion works").
        let isGuided = if case .mediaTailor(_, .guided) = kind { true } else { false }
        let isTailored = facts.session != nil && secrets.path.hasPrefix(WireName.MediaTailor.masterPath)
        if case .podServing = kind {
            lines = [match]
        } else if isTailored, !isGuided {
            lines = ["  # Seen: a session of MediaTailor, which chooses ads for each viewer.", match]
        }
        let patterns = Self.ignoredPatterns(facts.session)
        let tellable = patterns.filter { $0.split(separator: "/").allSatisfy { secrets.mayTell(String($0)) } }
        if !patterns.isEmpty {
            lines.append(
                "  # Seen: two requests for the channel were given different addresses. The differing part is a session's own."
            )
        }
        if !tellable.isEmpty {
            lines.append("  ignore: [\(tellable.map(YAMLScalar.quoted).joined(separator: ", "))]")
        }
        if tellable.count < patterns.count {
            lines.append(
                "  # A piece that differs stands after what looks like a secret. FILL IN: ignore, with * for both, such as /live/*/*."
            )
        }
        // A section with comments only has no value.
        let isTold = lines.contains { !$0.hasPrefix("  #") }
        return lines.isEmpty ? [] : [isTold ? "pods:" : "# pods:"] + lines + [""]
    }

    private static func ignoredPatterns(_ session: SessionTrace?) -> [String] {
        guard let session else { return [] }
        let texts = session.parameters.map { "?\($0)" } + session.piecesAfter.filter { !$0.isEmpty }.map { "/\($0)/*" }
        let plain = texts.filter { text in
            text.utf8.count <= 128
                && text.unicodeScalars.dropFirst().allSatisfy {
                    $0.isASCII
                        && ($0.properties.isAlphabetic || $0.properties.numericType != nil
                            || "-_./*".unicodeScalars.contains($0))
                }
                && AddressPattern(text) != nil
        }
        var seen: Set<String> = []
        return plain.filter { seen.insert($0.lowercased()).inserted }.prefix(16).map(\.self)
    }

    /// A run then fails only by new findings; advice never fails a run.
    fileprivate var allowances: [String] {
        let found = facts.findings.filter { $0.severity > .advice }
        guard !found.isEmpty else { return [] }
        let isAnyAllowed = found.contains { $0.severity < .broken }
        let lines = found.flatMap { code in
            ["  # \(code.severity.rawValue): \(code.meaning)"]
                + [code.severity < .broken ? "  \(code.code): any" : "  # \(code.code): any"]
        }
        return [
            "",
            "# Seen while podswarm init looked: a run fails by what is new. podswarm explain CODE says more of each. Broken ones are",
            "# commented out: a run fails by them until they are mended or allowed.",
            isAnyAllowed ? "allowFindings:" : "# allowFindings:",
        ] + lines
    }

    fileprivate var connection: [String] {
        let cookies = facts.cookies
        var lines = ["connection:", "  protocol: http2-or-http1"]
        if !options.access.verifiesTLS {
            lines.append("  # As podswarm init was told: certificates are not verified, and the result says so.")
            lines.append("  insecure: true")
        } else if let file = options.access.caFile {
            lines.append("  caFile: \(YAMLScalar.quoted(file))")
        }
        if !cookies.names.isEmpty {
            let names = cookies.names.prefix(3).map { YAMLScalar.comment(secrets.told(String($0.prefix(64)))) }
            let seen = "Seen: servers set \(names.joined(separator: ", ")); "
            lines += [
                "  # \(seen)\(cookies.areNeeded ? "playlists are refused without it." : "playlists come without it too.")",
                "  # Players differ: hls.js sends none to another origin without withCredentials, Media3 keeps none by itself.",
                cookies.areNeeded ? "  cookies: true" : "  # cookies: true",
            ]
        }
        guard !secrets.headers.isEmpty else {
            return lines + [
                "  # headers:",
                "  #   X-Load-Test: ${LOAD_TEST_HEADER} # FILL IN what your servers know a rehearsal by",
                "",
            ]
        }
        lines += [
            "  # As podswarm init was told. Only the server of the URL is sent them, but for those that say who a player is;",
            "  # headerHosts names others that are to have them.",
        ]
        let variables = secrets.all.filter { $0.part == .header }.map(\.variable) + secrets.environment.keys.sorted()
        if !variables.isEmpty {
            lines.append("  # FILL IN in the environment, not here: \(variables.joined(separator: ", ")).")
        }
        lines.append("  headers:")
        lines += secrets.headers.map { "    \(YAMLScalar.quoted($0.name)): \(YAMLScalar.quoted($0.value))" }
        return lines + [""]
    }
}

package struct DraftOptions: Sendable {
    /// Shape of Google's pod serving.
    package struct AdServer: Hashable, Sendable {
        /// Scheme, host and optional port.
        package var url: String
        package var networkCode: String
        package var customAssetKey: String

        package init(url: String, networkCode: String, customAssetKey: String) {
            (self.url, self.networkCode, self.customAssetKey) = (url, networkCode, customAssetKey)
        }
    }

    /// For commands in the profile's comments.
    package var file: String
    package var adServer: AdServer?
    /// With an absolute path of authorities.
    package var access = StreamAccess()
    /// For the stream's own server.
    package var headers: [StreamHeader] = []
    /// The user declares the URL's path free of secrets.
    package var keepsPath = false

    package init(file: String) { self.file = file }
}
