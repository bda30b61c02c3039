import AdServing
import CTexts
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
        var values = breaks.values.merging(target.values) { $1 }.merging(target.settings) { $1 }
        values["name"] = Self.name(of: options.file)
        values["duration"] = [breaks.duration.text]
        values["channel"] = DraftedChannel.fields(facts, breaks.announced)
        text = TextTemplate.lines(podswarm_draft(), values).joined(separator: "\n") + "\n"
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
        return [YAMLScalar.quoted(begun.isEmpty ? "channel" : begun)]
    }
}

extension DraftedTarget {
    /// Everything but the target and its breaks.
    fileprivate var settings: TextTemplate.Values {
        var values: TextTemplate.Values = [
            "file": [YAMLScalar.comment(options.file)],
            "origin": [YAMLScalar.comment(facts.address.origin.description)],
            "host": [YAMLScalar.quoted(facts.address.origin.host)],
            "lowLatency": [facts.media.lowLatency].filter { !$0.isEmpty },
            "encryption": facts.media.encryption.map { [YAMLScalar.comment(secrets.told($0))] } ?? [],
            "caFile": options.access.caFile.map { [YAMLScalar.quoted($0)] } ?? [],
            "headers": secrets.headers.map { "\(YAMLScalar.quoted($0.name)): \(YAMLScalar.quoted($0.value))" },
        ]
        values.set("ladder", if: facts.ladder != nil)
        values.set("insecure", if: !options.access.verifiesTLS)
        let cookies = facts.cookies.names.prefix(3).map { YAMLScalar.comment(secrets.told(String($0.prefix(64)))) }
        values["cookies"] = cookies.isEmpty ? nil : [cookies.joined(separator: ", ")]
        values.set("needsCookies", if: facts.cookies.areNeeded)
        let variables = secrets.all.filter { $0.part == .header }.map(\.variable) + secrets.environment.keys.sorted()
        values["variables"] = variables.isEmpty ? nil : [variables.joined(separator: ", ")]
        // A run then fails only by new findings; advice never fails a run.
        let found = facts.findings.filter { $0.severity > .advice }
        values["findings"] = found.flatMap { code in
            let isAllowed = code.severity < .broken
            return ["# \(code.severity.rawValue): \(code.meaning)", "\(isAllowed ? "" : "# ")\(code.code): any"]
        }
        values.set("allowed", if: found.contains { $0.severity < .broken })
        setPods(&values)
        return values
    }

    private func setPods(_ values: inout TextTemplate.Values) {
        let patterns = Self.ignoredPatterns(facts.session)
        let tellable = patterns.filter { $0.split(separator: "/").allSatisfy { secrets.mayTell(String($0)) } }
        // MediaTailor decides on the ads of each playback session (user guide, "How MediaTailor ad insertion works").
        let isTailored = facts.session != nil && secrets.path.hasPrefix(WireName.MediaTailor.masterPath)
        let isOfPods = if case .podServing = kind { true } else { false }
        let isChosen = !isOfPods && isTailored && !kind.isGuided
        values.set("chosenAds", if: isChosen)
        values.set("matched", if: isOfPods || isChosen)
        values.set("patterns", if: !patterns.isEmpty)
        values["ignored"] = tellable.isEmpty ? nil : [tellable.map(YAMLScalar.quoted).joined(separator: ", ")]
        values.set("untellable", if: tellable.count < patterns.count)
        values.set("anyPods", if: isOfPods || isChosen || !patterns.isEmpty)
        // A section with comments only has no value.
        values.set("podsMatter", if: isOfPods || isChosen || !tellable.isEmpty)
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
