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
        let lines = texts {
            target.head
            Self.name(of: options.file)
            "description: Ten viewers of a channel that podswarm init looked at."
            "duration: \(breaks.duration.text)"
            "seed: 1"
            ""
            target.podServingAdvice
            target.lines
            ""
            target.audience
            ""
            DraftedChannel.lines(facts, breaks.announced)
            breaks.breaks
            ""
            target.pods
            target.connection
            "thresholds:"
            breaks.thresholds
            target.allowances
        }
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

    @Texts fileprivate var audience: [String] {
        "audience:"
        "  viewers: 10"
        "  ramp: 5s"
        "  # FILL IN: the players of your audience and their shares; podswarm profile personas shows what there is."
        "  personas: [hlsjs, avplayer]"
        ""
        "playback:"
        if !facts.media.lowLatency.isEmpty { "  # Seen: \(facts.media.lowLatency)." }
        if let method = facts.media.encryption {
            "  # Seen: segments are encrypted (\(YAMLScalar.comment(secrets.told(method)))); keys are not asked for."
        }
        "  # Playlists only. Segments of the channel may be views of ads: see impressions in the documentation."
        "  segments: none"
        switch kind {
        case .channel, .mediaTailor:
            "  metadata: false"
            "  verificationPings: false"
        case .podServing:
            "  metadata: true"
            ""
            "# Pings are billable impressions: none is sent until you allow it."
            "# impressions: allowed"
        }
    }

    fileprivate var pods: [String] {
        let patterns = Self.ignoredPatterns(facts.session)
        let tellable = patterns.filter { $0.split(separator: "/").allSatisfy { secrets.mayTell(String($0)) } }
        let match = "  match: session # FILL IN: all, if all viewers of a break must see the same ads"
        // MediaTailor decides on the ads of each playback session (user guide, "How MediaTailor ad insertion works").
        let isTailored = facts.session != nil && secrets.path.hasPrefix(WireName.MediaTailor.masterPath)
        let lines = texts {
            if case .podServing = kind {
                match
            } else if isTailored, !kind.isGuided {
                "  # Seen: a session of MediaTailor, which chooses ads for each viewer."
                match
            }
            if !patterns.isEmpty {
                "  # Seen: two requests for the channel were given different addresses. The differing part is a session's own."
            }
            if !tellable.isEmpty { "  ignore: [\(tellable.map(YAMLScalar.quoted).joined(separator: ", "))]" }
            if tellable.count < patterns.count {
                "  # A piece that differs stands after what looks like a secret. FILL IN: ignore, with * for both, such as /live/*/*."
            }
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
    @Texts fileprivate var allowances: [String] {
        let found = facts.findings.filter { $0.severity > .advice }
        if !found.isEmpty {
            ""
            "# Seen while podswarm init looked: a run fails by what is new. podswarm explain CODE says more of each. Broken ones are"
            "# commented out: a run fails by them until they are mended or allowed."
            found.contains { $0.severity < .broken } ? "allowFindings:" : "# allowFindings:"
            for code in found {
                "  # \(code.severity.rawValue): \(code.meaning)"
                code.severity < .broken ? "  \(code.code): any" : "  # \(code.code): any"
            }
        }
    }

    @Texts fileprivate var connection: [String] {
        "connection:"
        "  protocol: http2-or-http1"
        if !options.access.verifiesTLS {
            "  # As podswarm init was told: certificates are not verified, and the result says so."
            "  insecure: true"
        } else if let file = options.access.caFile {
            "  caFile: \(YAMLScalar.quoted(file))"
        }
        let cookies = facts.cookies
        if !cookies.names.isEmpty {
            let names = cookies.names.prefix(3).map { YAMLScalar.comment(secrets.told(String($0.prefix(64)))) }
            let seen = "Seen: servers set \(names.joined(separator: ", ")); "
            "  # \(seen)\(cookies.areNeeded ? "playlists are refused without it." : "playlists come without it too.")"
            "  # Players differ: hls.js sends none to another origin without withCredentials, Media3 keeps none by itself."
            cookies.areNeeded ? "  cookies: true" : "  # cookies: true"
        }
        if secrets.headers.isEmpty {
            "  # headers:"
            "  #   X-Load-Test: ${LOAD_TEST_HEADER} # FILL IN what your servers know a rehearsal by"
        } else {
            "  # As podswarm init was told. Only the server of the URL is sent them, but for those that say who a player is;"
            "  # headerHosts names others that are to have them."
            let variables =
                secrets.all.filter { $0.part == .header }.map(\.variable) + secrets.environment.keys.sorted()
            if !variables.isEmpty {
                "  # FILL IN in the environment, not here: \(variables.joined(separator: ", "))."
            }
            "  headers:"
            secrets.headers.map { "    \(YAMLScalar.quoted($0.name)): \(YAMLScalar.quoted($0.value))" }
        }
        ""
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
