import HLS

/// Parameters of a session, a signature or a moment; short names are ambiguous: `ad.mp4?sid=7` names an ad.
enum OwnParameters {
    /// Any one of them is enough.
    private struct Condition {
        /// In the same query, in lower case.
        var beside: Set<String> = []
        /// A value of so many digits is a time or a random number, not the number of an ad.
        var isLongNumber = false
        var isID = false
    }

    /// Names that say enough by themselves, beginnings of such names, and names that need more.
    private static let (names, prefixes, conditions): (Set<String>, [String], [String: Condition]) = {
        var (names, prefixes, conditions): (Set<String>, [String], [String: Condition]) = ([], [], [:])
        for line in ListedNames.lines("own parameters") {
            let parts = line.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
            guard parts.count > 1 else {
                names.formUnion(parts.joined().filter { !$0.hasSuffix("*") })
                prefixes += parts.joined().filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
                continue
            }
            var condition = Condition(beside: Set(parts[1]))
            condition.isLongNumber = condition.beside.remove("NUMBER") != nil
            condition.isID = condition.beside.remove("ID") != nil
            for name in parts[0] { conditions[name] = condition }
        }
        return (names, prefixes, conditions)
    }()

    fileprivate static let longNumberDigits = 8

    static func contain(_ name: Substring) -> Bool { contain(folded: name.lowercased()) }

    /// `more` are further names in lower case; false for a short name that may be an ad's.
    static func contain(_ pair: Substring, of query: Substring, or more: Set<String> = []) -> Bool {
        let name = name(of: pair).lowercased()
        if contain(folded: name) || !more.isEmpty && more.contains(name) { return true }
        guard let condition = conditions[name] else { return false }
        let value = pair.dropFirst(name.count + 1)
        if condition.isLongNumber, value.isLongNumber { return true }
        if condition.isID, value.hasShapeOfID { return true }
        guard !condition.beside.isEmpty else { return false }
        return query.pieces(between: "&").contains { condition.beside.contains(Self.name(of: $0).lowercased()) }
    }

    private static func contain(folded name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }

    static func name(of pair: Substring) -> Substring { Substring(pair.utf8.prefix { $0 != UInt8(ascii: "=") }) }
}

extension StringProtocol {
    /// Random ids are long, with digits and letters.
    var hasShapeOfID: Bool {
        utf8.count >= 16 && utf8.contains(where: \.isDigit) && utf8.contains(where: \.isLetter) && !contains(".")
    }

    fileprivate var isLongNumber: Bool { utf8.count >= OwnParameters.longNumberDigits && utf8.allSatisfy(\.isDigit) }
}
