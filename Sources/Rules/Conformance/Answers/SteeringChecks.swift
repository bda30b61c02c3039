import HLS

/// Checks a steering manifest and its channel's pathways (draft-pantos-content-steering-05 sections 4 and 5).
package enum SteeringChecks {
    package static let expected = "a steering manifest, 410 or 429"

    /// `pathways` are the channel's, empty if unknown; `own` are those that no steering manifest added, nil for all.
    package static func violations(
        in body: UnsafeRawBufferPointer,
        pathways: [String],
        own: [String]? = nil
    ) -> [Violation] {
        checked(body, pathways: pathways, own: own ?? pathways) { problem in
            unavailable(problem, expected: expected, likely: "An error page or another file comes in its place.")
        }
    }

    /// Checks the manifest in a `data:` address (bis-22 section 4.4.6.6).
    package static func violations(inDataURI uri: String, pathways: [String]) -> [Violation] {
        let likely = "The address was cut off, or its content is not encoded as its beginning says."
        func unreadable(_ problem: String) -> [Violation] {
            unavailable(problem, expected: "a steering manifest in the data: address", likely: likely)
        }
        guard let body = DataURI.body(of: uri) else { return unreadable("a data: address that cannot be decoded") }
        return body.withUnsafeBytes { checked($0, pathways: pathways, own: pathways, unreadable) }
    }

    private static func checked(
        _ body: UnsafeRawBufferPointer,
        pathways: [String],
        own: [String],
        _ unreadable: (_ problem: String) -> [Violation]
    ) -> [Violation] {
        do throws(JSONError) {
            guard case .object(let manifest) = try JSONValue(parsing: body, within: .answer) else {
                return unreadable("\(BodyKind.words(for: body)) that is not a JSON object")
            }
            var reading = SteeringReading(pathways: pathways, ownPathways: own)
            reading.read(manifest)
            return reading.violations
        } catch {
            return unreadable(error == .notJSON ? BodyKind.words(forNoJSON: body) : error.rawValue)
        }
    }

    private static func unavailable(_ problem: String, expected: String, likely: String) -> [Violation] {
        let observed = "no steering manifest: \(problem)"
        return [Violation(.steeringUnavailable, expected: expected, observed: observed, likely: likely)]
    }
}

private struct SteeringReading {
    /// Maximum number of names and clones that are compared.
    private static let limit = 64
    private static let shownCharacters = 64
    private static let mostViolations = 8

    let pathways: [String]
    let ownPathways: [String]
    var violations: [Violation] = []

    /// Members of another version mean other things.
    mutating func read(_ manifest: JSONObject) {
        let wish = "VERSION as the number 1"
        switch manifest["VERSION"] {
        case nil: leftOut("VERSION", in: manifest, wish)
        case let version? where version.number != 1:
            let likely = version.number.map { _ in "The manifest was written for another edition of content steering." }
            return invalid(wish, "VERSION as \(Self.words(version)); \(Self.refusal)", likely)
        case .string?: invalid(wish, "VERSION as the text \"1\"; some players refuse the manifest", Self.quotes)
        default: break
        }
        let wanted = readNames(manifest)
        readTimeToLive(manifest)
        if let reload = manifest["RELOAD-URI"], reload.text == nil {
            invalid("RELOAD-URI as a text", "RELOAD-URI as \(Self.words(reload))", Self.otherType)
        }
        let clones = readClones(manifest["PATHWAY-CLONES"])
        if !wanted.isEmpty { readPriority(Array(wanted.prefix(Self.limit)), clones: clones) }
    }

    /// Names in PATHWAY-PRIORITY, without which players refuse a manifest.
    private mutating func readNames(_ manifest: JSONObject) -> [String] {
        let wish = "PATHWAY-PRIORITY as an array of pathways"
        guard let member = manifest["PATHWAY-PRIORITY"] else {
            leftOut("PATHWAY-PRIORITY", in: manifest, wish)
            return []
        }
        guard case .array(let priority) = member else {
            let likely = member.text == nil ? nil : "The pathways stand in one text, with quotation marks around it."
            invalid(wish, "PATHWAY-PRIORITY as \(Self.words(member)); \(Self.refusal)", likely)
            return []
        }
        let names = priority.compactMap(\.text).filter { !$0.isEmpty }
        if names.isEmpty {
            let likely = "The server found no pathway that it could name."
            invalid(wish, "PATHWAY-PRIORITY names no pathway; \(Self.refusal)", likely)
        } else if names.count < priority.count {
            invalid("texts in PATHWAY-PRIORITY", "an element that is not a name", Self.otherType)
        }
        return names
    }

    /// TTL is required (draft-pantos-content-steering-05 section 4).
    ///
    /// Without a number, hls.js asks again at once (src/controller/content-steering-controller.ts, `scheduleRefresh`), and VHS
    /// takes 300 s (content-steering-controller.js).
    private mutating func readTimeToLive(_ manifest: JSONObject) {
        let wish = "TTL as a number of seconds above 0"
        switch manifest["TTL"] {
        case .number(let seconds)? where seconds > 0: break
        case .string(let text)? where (Double(text.prefix(Self.shownCharacters)) ?? 0) > 0:
            let shown = "TTL as the text \"\(text.prefix(Self.shownCharacters))\"; some players ignore it"
            invalid(wish, shown, Self.quotes)
        case let value?:
            let likely =
                value.number == nil ? Self.otherType : "A TTL that is not known, or none at all, is written so."
            invalid(wish, "TTL as \(Self.words(value)); some players ask again without a pause", likely)
        case nil: leftOut("TTL", in: manifest, wish, "some players ask again without a pause")
        }
    }

    /// Returns the names of pathways that the clones make.
    private mutating func readClones(_ member: JSONValue?) -> [String] {
        guard let member else { return [] }
        guard case .array(let clones) = member else {
            invalid("PATHWAY-CLONES as an array", "PATHWAY-CLONES as \(Self.words(member))", Self.otherType)
            return []
        }
        var names: [String] = []
        for clone in clones.prefix(Self.limit) {
            let members = clone.members
            guard let base = members["BASE-ID"]?.text, let name = members["ID"]?.text, !name.isEmpty,
                case .object? = members["URI-REPLACEMENT"]
            else {
                let required = ["BASE-ID", "ID", "URI-REPLACEMENT"]
                let lacking = required.first { members[$0] == nil }.map { Self.missing($0, in: members) }
                let likely =
                    lacking == nil ? Self.otherType : "The member was left out, or its name is spelt in another way."
                let found = lacking ?? "a member of another type"
                invalid("BASE-ID, ID and URI-REPLACEMENT in each pathway clone", found, likely)
                continue
            }
            if ownPathways.contains(name) {
                let observed = "a clone \(Self.quoted(name)), which players ignore"
                invalid("an ID that no pathway of the channel has for each clone", observed, Self.knownClone)
            }
            if names.contains(name) {
                invalid("an ID of its own for each pathway clone", "two of \(Self.quoted(name))", Self.knownClone)
            }
            if !pathways.isEmpty, !pathways.contains(base), !names.contains(base) {
                unknown("a clone of \(known)", "a clone of \(Self.quoted(base))\(slip(base, pathways + names))")
                continue
            }
            names.append(name)
        }
        return names
    }

    /// Media3 refuses a manifest with a repeated pathway, and any needed member of another type (SteeringManifestParser.java,
    /// `parsePathwayPriorityArray`).
    private mutating func readPriority(_ wanted: [String], clones: [String]) {
        let offered = pathways + clones
        var seen: Set<String> = []
        if let twice = wanted.first(where: { !seen.insert($0).inserted }) {
            let observed = "\(Self.quoted(twice)) twice; some players refuse the manifest"
            let likely = "Two rules of the steering server name one pathway, each for itself."
            invalid("each pathway once in PATHWAY-PRIORITY", observed, likely)
        }
        guard !pathways.isEmpty, let first = wanted.first(where: { !offered.contains($0) }) else { return }
        let slip = slip(first, offered)
        let observed = "PATHWAY-PRIORITY with \(Self.quoted(first))\(slip)"
        if wanted.contains(where: offered.contains) {
            unknown(known, observed)
        } else {
            let likely =
                pathways == ["."]
                ? "PATHWAY-ID was left out of the variants."
                : slip.isEmpty
                    ? "The manifest is that of another channel, or the variants have other pathways."
                    : "The names of pathways are spelt in another way than in the multivariant playlist."
            let found = "\(observed) and no other: no viewer can be moved"
            invalid("one of \(known) in PATHWAY-PRIORITY", found, likely)
        }
    }

    private var known: String {
        "the pathways of the channel: \(pathways.prefix(8).map(Self.quoted).joined(separator: ", "))"
    }

    /// Names of pathways often differ in one letter only, so one other letter is not a mistake.
    private func slip(_ name: String, _ candidates: [String]) -> String {
        func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let near = candidates.first { letters($0) == letters(String(name.prefix(Self.shownCharacters))) }
        return near.map { ", perhaps for \(Self.quoted($0))" } ?? ""
    }

    private static let otherType = "The member was written with another type."
    private static let knownClone = "The steering server makes a clone that is there already."
    private static let quotes = "Quotation marks stand around the number."
    private static let refusal = "players refuse the manifest"

    private mutating func leftOut(
        _ name: String,
        in manifest: JSONObject,
        _ expected: String,
        _ effect: String = Self.refusal
    ) {
        let found = Self.missing(name, in: manifest)
        let isLeftOut = found == Self.missing(name, in: JSONObject())
        let likely = isLeftOut ? "The member was left out." : "The member's name is spelt in another way."
        invalid(expected, "\(found); \(effect)", likely)
    }

    private mutating func invalid(_ expected: String, _ observed: String, _ likely: String? = nil) {
        guard violations.count < Self.mostViolations else { return }
        violations.append(Violation(.steeringManifestInvalid, expected: expected, observed: observed, likely: likely))
    }

    private mutating func unknown(_ expected: String, _ observed: String) {
        guard !violations.contains(where: { $0.code == .steeringPathwayUnknown }) else { return }
        violations.append(Violation(.steeringPathwayUnknown, expected: expected, observed: observed))
    }

    private static func missing(_ name: String, in members: JSONObject) -> String {
        let near = NearestName.slip(name, among: members.all.prefix(limit).map(\.name))
        return near.map { "no \(name), but \(quoted($0))" } ?? "no \(name)"
    }

    private static func quoted(_ text: String) -> String { "\"\(text.prefix(shownCharacters))\"" }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "the text \(quoted(text))"
        case .number(let number): number.formatted
        case .boolean(let flag): "\(flag)"
        case .null: "null"
        }
    }
}

extension Double {
    fileprivate var formatted: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
