/// The state of reading one profile: where fields stand, which are sound, what is wrong.
///
/// Lives on one call's stack; never shared.
package final class ProfileReading {
    package static let mostProblems = 200

    package let surroundings: ProfileSurroundings
    /// Folder that relative paths start from; empty for the working directory.
    package let folder: String
    /// Names of the audience's traits, which may stand in braces; nil where one could not be read, so that nothing is held
    /// against names that nobody knows.
    package var traits: [String]? = []
    /// Those of them that can make a cohort, with their values.
    package var cohorts: [(name: String, values: () -> [String])]? = []
    package var cohortTraits: [String]? { cohorts?.map(\.name) }
    /// What must never be told: values of the environment that the profile takes, and its keys.
    package private(set) var secrets: Set<String> = []
    package private(set) var problems: [ProfileProblem] = []
    package private(set) var omitted = 0
    private var locations: [String: ProfileLocation] = [:]
    private var unsound: Set<String> = []

    package init(surroundings: ProfileSurroundings, folder: String) {
        self.surroundings = surroundings
        self.folder = folder
    }

    package func note(secret: String) {
        secrets.insert(secret)
    }

    package func note(_ field: String, at location: ProfileLocation) {
        locations[field] = location
    }

    /// Takes a problem down and marks its field as not to be judged further.
    package func report(_ problem: ProfileProblem) {
        unsound.insert(problem.field)
        guard !isFull else {
            omitted += 1
            return
        }
        problems.append(problem)
    }

    /// Marks a field as not to be judged, because what was written in its place is a problem already.
    package func doubt(_ field: String) {
        unsound.insert(field)
    }

    /// Whether further problems are only counted.
    package var isFull: Bool {
        problems.count >= Self.mostProblems
    }

    /// Whether the profile or an override writes this field.
    package func isGiven(_ field: String) -> Bool {
        locations[field] != nil
    }

    /// Whether neither the field nor anything around it has a problem.
    package func isSound(_ field: String) -> Bool {
        var path = Substring(field)
        while !unsound.contains(String(path)) {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return true }
            path = path[..<end]
        }
        return false
    }

    /// Whether the field, what is around it and what is in it have no problem.
    package func isWhollySound(_ field: String) -> Bool {
        isSound(field) && !unsound.contains { $0.hasPrefix(field + ".") || $0.hasPrefix(field + "[") }
    }

    /// Whether a field somewhere in this one has a problem.
    package func hasProblem(in field: String, where matches: (String) -> Bool) -> Bool {
        unsound.contains { $0.hasPrefix(field) && matches($0) }
    }

    /// Where the field stands, or else the nearest thing around it that is written.
    package func location(of field: String) -> ProfileLocation {
        var path = Substring(field)
        while true {
            if let location = locations[String(path)] {
                return location
            }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else {
                return locations[""] ?? .file(line: 1, column: 1)
            }
            path = path[..<end]
        }
    }

    /// A rule that several fields must keep together.
    ///
    /// Skips the rule when one of the fields already has a problem. The problem is put where the first of them that is
    /// written stands, under the first one's name.
    /// - Parameters:
    ///   - fields: All fields the rule looks at, the one to blame first.
    ///   - isBroken: The rule's outcome.
    ///   - message: What is wrong, including the values.
    ///   - allowed: What would be right.
    package func rule(
        _ fields: String...,
        isBroken: Bool,
        message: @autoclosure () -> String,
        allowed: String? = nil
    ) {
        guard isBroken, let blamed = fields.first, fields.allSatisfy(isSound) else { return }
        let written = fields.first(where: isGiven) ?? blamed
        let problem = ProfileProblem(
            location: location(of: written),
            field: blamed,
            message: message(),
            allowed: allowed
        )
        report(problem)
    }
}
