import AdServing
import Foundation
import Values

/// Reports every mistake at once; pure except for `ProfileSurroundings`; no text traps.
package struct ProfileReader: Sendable {
    package var surroundings: ProfileSurroundings

    package init(surroundings: ProfileSurroundings = .process) { self.surroundings = surroundings }

    /// Relative paths start from the file's folder.
    package func read(contentsOf path: String, overrides: [Override] = []) throws(ProfileErrors) -> LoadPlan {
        try read(yaml: text(of: path), path: path, overrides: overrides)
    }

    package func text(of path: String) throws(ProfileErrors) -> String {
        func unreadable(_ message: String) -> ProfileErrors {
            let problem = ProfileProblem(message, at: .wholeFile)
            return ProfileErrors(path: path, problems: [problem])
        }
        guard !path.isEmpty else { throw unreadable("the profile's path is empty") }
        var data = Data()
        do throws(UntrustedFile.Refusal) {
            data = try UntrustedFile.contents(of: path, mebibytes: ProfileTree.largestText >> 20)
        } catch {
            if case .larger = error { throw unreadable("the text \(error)") }
            throw unreadable("\(error)")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw unreadable("the text is not UTF-8") }
        return text
    }

    /// `path` names the text in messages; relative paths start from its folder.
    ///
    /// Throws problems in reading order, those of overrides last.
    package func read(yaml: String, path: String, overrides: [Override] = []) throws(ProfileErrors) -> LoadPlan {
        try evaluated(yaml, path: path, overrides: overrides).plan
    }

    /// YAML of the profile with its included files, overrides and environment; secrets are masked.
    package func resolved(yaml: String, path: String, overrides: [Override] = []) throws(ProfileErrors) -> String {
        let (plan, root, reading) = try evaluated(yaml, path: path, overrides: overrides)
        let secrets = KnownSecrets(plan.secrets)
        return root.yaml { field, written in
            let header = field.hasPrefix(Self.headers) ? String(field.dropFirst(Self.headers.count)) : nil
            // A header with a plain name, or with nothing but a placeholder, holds no secret of its own.
            let isPlain = header.map { !Self.mayHoldSecret(written, in: $0) || Placeholders.isWhole(written) } ?? false
            let text = secrets.hidden(in: isPlain ? written : reading.values[field] ?? written)
            return text.contains("://") ? Redaction.url(text, own: nil) : text
        }
    }

    private static let headers = "connection.headers."

    /// Credentials of a scheme are several words, such as "Bearer abc".
    private static func mayHoldSecret(_ value: String, in header: String) -> Bool {
        let words = value.split { " =;,:/".contains($0) }
        return Redaction.hidesValues(of: header) || words.contains { Redaction.looksSecret($0) }
            || words.contains { ["bearer", "basic", "digest", "token"].contains($0.lowercased()) }
    }

    private func evaluated(_ yaml: String, path: String, overrides: [Override]) throws(ProfileErrors) -> (
        plan: LoadPlan, root: ProfileNode, reading: ProfileReading
    ) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
        let reading = ProfileReading(surroundings: surroundings, folder: folder ?? "")
        guard let root = tree(yaml, path: path, overrides: overrides, reading: reading) else {
            throw errors(of: reading, path: path)
        }
        reading.secretTraits = SecretTraits(in: root).names
        let section = ProfileSection(path: "", node: root, reading: reading)
        var standing = LoadPlan.usual
        standing.name = Self.name(fromPath: path)
        var plan = LoadPlan(reading: section, over: standing)
        PlanRules(plan: plan, reading: reading).judge()
        guard reading.problems.isEmpty else { throw errors(of: reading, path: path) }
        plan.secrets = reading.secrets
        return (plan.digested(), root, reading)
    }

    private func tree(_ yaml: String, path: String, overrides: [Override], reading: ProfileReading) -> ProfileNode? {
        var root: ProfileNode?
        do {
            root = try YAMLText.parse(yaml)
        } catch {
            reading.report(error)
            return nil
        }
        if case .null = root?.content { root = nil }
        guard var root else {
            reading.report(ProfileProblem("the profile is empty", at: .file(line: 1, column: 1)))
            return nil
        }
        guard case .mapping = root.content else { return root }
        var inclusion = Inclusion(reading: reading)
        let namesFile = overrides.map { $0.components.first == Inclusion.field }
        for (override, isFile) in zip(overrides, namesFile) where isFile { set(override, in: &root, reading) }
        inclusion.fill(&root, below: [Inclusion.plain(path)])
        for (override, isFile) in zip(overrides, namesFile) where !isFile { set(override, in: &root, reading) }
        return root
    }

    private func set(_ override: Override, in root: inout ProfileNode, _ reading: ProfileReading) {
        do {
            try root.set(override.components[...], to: try override.node())
        } catch {
            reading.report(error, at: ShownValue.of(override.components.joined(separator: ".")))
        }
    }

    private func errors(of reading: ProfileReading, path: String) -> ProfileErrors {
        let ordered = reading.problems.enumerated().sorted { left, right in
            let (leftLine, rightLine) = (left.element.line ?? .max, right.element.line ?? .max)
            let (leftColumn, rightColumn) = (left.element.column ?? .max, right.element.column ?? .max)
            return (leftLine, leftColumn, left.offset) < (rightLine, rightColumn, right.offset)
        }
        let secrets = KnownSecrets(reading.secrets)
        let lacksFile = reading.problems.contains { $0.field == Inclusion.field }
        // A file that could not be read may hold what is missing.
        let problems = ordered.filter { !lacksFile || $1.message != ProfileSection.missing }.map { _, problem in
            var shown = problem
            shown.message = secrets.hidden(in: problem.message)
            let twins = Self.twins(of: problem)
            if !twins.isEmpty { (shown.allowed, shown.suggestion) = (nil, twins.joined(separator: ", ")) }
            return shown
        }
        return ProfileErrors(path: path, problems: problems, omitted: reading.omitted)
    }

    /// The few fields of sections that bear the name of an unknown one outside of all.
    private static func twins(of problem: ProfileProblem) -> [String] {
        let isOutside = problem.message == ProfileSection.unknown && !problem.field.contains(".")
        guard isOutside, problem.suggestion == nil else { return [] }
        let twins = LoadPlan.entries.map(\.path).filter { $0.hasSuffix(".\(problem.field)") }
        return twins.count > 3 ? [] : twins
    }

    private static func name(fromPath path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }
}
