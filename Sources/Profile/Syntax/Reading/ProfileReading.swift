import Foundation
import Values

/// State of reading one profile; not shared between calls.
package final class ProfileReading {
    package static let mostProblems = 200

    package let surroundings: ProfileSurroundings
    /// Empty for the working directory.
    package let folder: String
    /// Nil where a trait could not be read, so that names which may be its own are not reported.
    package var traits: [String]? = []
    /// Traits that can form cohorts; nil like `traits`.
    package var cohorts: [(name: String, isSecret: Bool, values: () -> [String])]? = []
    /// Traits that the profile sends as secrets.
    var secretTraits: Set<String> = []
    package var cohortTraits: [String]? { cohorts?.map(\.name) }
    /// Values that must never be printed.
    package private(set) var secrets: Set<String> = []
    package private(set) var problems: [ProfileProblem] = []
    package private(set) var omitted = 0
    private var locations: [String: ProfileLocation] = [:]
    private var unsound: Set<String> = []
    private var included: Set<String> = []
    /// Value of each single field with its environment, unless it is a secret.
    private(set) var values: [String: String] = [:]

    package init(surroundings: ProfileSurroundings, folder: String) {
        (self.surroundings, self.folder) = (surroundings, folder)
    }

    func include(_ path: String) { included.insert(path) }

    /// Resolves against the folder of the file that `location` is in.
    func path(of written: String, at location: ProfileLocation) -> String {
        guard !written.hasPrefix("/") else { return written }
        guard case .named(let file, _, _) = location, included.contains(file) else {
            return folder.isEmpty ? written : "\(folder)/\(written)"
        }
        return file.lastIndex(of: "/").map { file[...$0] + written } ?? written
    }

    package func note(secret: String) { secrets.insert(secret) }

    func note(_ value: String, of field: String) { values[field] = value }

    package func note(_ field: String, at location: ProfileLocation) { locations[field] = location }

    /// Excludes the problem's field from further checks.
    package func report(_ problem: ProfileProblem, at field: String? = nil) {
        var problem = problem
        problem.field = field ?? problem.field
        unsound.insert(problem.field)
        guard !isFull else {
            omitted += 1
            return
        }
        problems.append(problem)
    }

    func report(
        _ field: String,
        at location: ProfileLocation,
        _ message: String,
        allowed: String? = nil,
        suggestion: String? = nil
    ) {
        var problem = ProfileProblem(message, at: location)
        (problem.field, problem.allowed, problem.suggestion) = (field, allowed, suggestion)
        report(problem)
    }

    /// Excludes a field whose place already has a reported problem.
    package func doubt(_ field: String) { unsound.insert(field) }

    package var isFull: Bool { problems.count >= Self.mostProblems }

    /// Whether the profile or an override sets the field.
    package func isGiven(_ field: String) -> Bool { locations[field] != nil }

    /// Whether neither the field nor anything around it has a problem.
    package func isSound(_ field: String) -> Bool { unsound.isDisjoint(with: Self.around(field)) }

    /// The field, then what it is in, from the nearest mapping or list outwards.
    static func around(_ field: String) -> some Sequence<String> {
        sequence(first: field) { path in
            path.lastIndex { $0 == "." || $0 == "[" }.map { String(path[..<$0]) }
        }
    }

    /// Like `isSound`, including everything in the field.
    package func isWhollySound(_ field: String) -> Bool {
        isSound(field) && !unsound.contains { $0.hasPrefix(field + ".") || $0.hasPrefix(field + "[") }
    }

    package func hasProblem(in field: String, where matches: (String) -> Bool) -> Bool {
        unsound.contains { $0.hasPrefix(field) && matches($0) }
    }

    /// The field's own, or that of the nearest enclosing mapping or list that is written.
    package func location(of field: String) -> ProfileLocation {
        let nearest = Self.around(field).first { locations[$0] != nil } ?? ""
        return locations[nearest] ?? .file(line: 1, column: 1)
    }

    /// A rule between fields: the message is reported if it is broken, unless one of the fields already has a problem.
    ///
    /// The problem is located at the first override, else at the first written field, and named after the first in `fields`.
    package subscript(_ fields: String..., if isBroken: Bool) -> String? {
        get { message(at: fields.first) }
        set { judge(fields, if: isBroken, newValue) }
    }

    func judge(_ fields: [String], if isBroken: Bool, _ message: String?) {
        guard isBroken, let message, let blamed = fields.first, fields.allSatisfy(isSound) else { return }
        let written = fields.first(where: isGiven) ?? blamed
        report(blamed, at: fields.compactMap(overrideLocation).first ?? location(of: written), message)
    }

    func message(at field: String?) -> String? { problems.last { $0.field == field }?.message }

    private func overrideLocation(of field: String) -> ProfileLocation? {
        let below = locations.filter { path, place in
            guard case .override = place else { return false }
            // A whole section is named as a cause; an override somewhere in it need not be the one.
            return path == field || field.contains(".") && path.hasPrefix(field + ".")
        }
        return below.min { $0.key < $1.key }?.value
    }
}

/// Environment variables and files that a profile refers to.
package struct ProfileSurroundings: Sendable {
    package var environmentVariable: @Sendable (String) -> String?
    package var hasFile: @Sendable (String) -> Bool
    /// At most this many bytes; nil where the file cannot be read.
    package var contents: @Sendable (String, Int) -> [UInt8]?

    package init(
        environmentVariable: @escaping @Sendable (String) -> String?,
        hasFile: @escaping @Sendable (String) -> Bool,
        contents: @escaping @Sendable (String, Int) -> [UInt8]? = { _, _ in nil }
    ) { (self.environmentVariable, self.hasFile, self.contents) = (environmentVariable, hasFile, contents) }

    static let none = ProfileSurroundings(environmentVariable: { _ in nil }, hasFile: { _ in false })

    package static let process = ProfileSurroundings(
        environmentVariable: { ProcessInfo.processInfo.environment[$0] },
        hasFile: { path in
            var status = stat()
            // Calls for breaks may come through a named pipe.
            return stat(path, &status) == 0 && [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT)
                && access(path, R_OK) == 0
        },
        contents: { path, most in
            guard let file = try? UntrustedFile.opened(path) else { return nil }
            return [UInt8]((try? file.read(upToCount: most)) ?? Data())
        }
    )
}

/// Text with each `${NAME}` and `${NAME:-default}` replaced; as in a shell, the default also stands for an empty variable.
///
/// `$${` is the text `${`.
package struct EnvironmentText: Sendable {
    package private(set) var text = ""
    /// Values of variables, without defaults.
    package private(set) var values: [String: String] = [:]

    package struct Refusal: Error {
        /// Contains no value.
        package let reason: String
    }

    package init(_ written: String, _ lookup: (String) -> String?) throws(Refusal) {
        var rest = written[...]
        while let opening = rest.firstRange(of: "${") {
            text += rest[..<opening.lowerBound]
            if text.hasSuffix("$") {
                text += "{"
                rest = rest[opening.upperBound...]
                continue
            }
            guard let closing = rest[opening.upperBound...].firstIndex(of: "}") else {
                throw Refusal(reason: "an environment reference is not closed by }")
            }
            let reference = rest[opening.upperBound..<closing]
            let mark = reference.firstRange(of: ":-")
            let name = String(reference[..<(mark?.lowerBound ?? closing)])
            guard CharacterSets.isEnvironmentName(name) else {
                throw Refusal(reason: "an environment reference does not hold a variable's name")
            }
            let value = lookup(name)
            if let value, !value.isEmpty {
                values[name] = value
                text += value
            } else if let mark {
                text += reference[mark.upperBound...]
            } else {
                throw Refusal(reason: "the environment variable \(name) is \(value == nil ? "not set" : "empty")")
            }
            rest = rest[rest.index(after: closing)...]
        }
        text += rest
    }

    /// Spells a target's text so that nothing in it is replaced.
    package static func literal(_ text: String) -> String { text.replacing("${", with: "$${") }
}
