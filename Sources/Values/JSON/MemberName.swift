import Synchronization

/// Member names in snake case, with short units and without a Boolean's verb.
///
/// `isOver` becomes `over`, `longestMaximumMicroseconds` becomes `longest_max_us`.
package enum MemberName {
    private static let units = ["nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s"]
    private static let extremes = ["maximum": "max", "minimum": "min"]

    /// An interval of a run has hundreds of members, but few names.
    private static let known = Mutex<[String: String]>([:])

    /// Names without an uppercase letter, or with one at the beginning, are unchanged.
    package static func of(_ property: String) -> String {
        guard property.utf8.contains(where: isUppercase), property.utf8.first.map(isUppercase) == false else {
            return property
        }
        return known.withLock { names in
            if let name = names[property] { return name }
            let name = name(of: Array(property.utf8))
            names[property] = name
            return name
        }
    }

    private static func name(of letters: [UInt8]) -> String {
        var words = words(of: letters)
        if words.count > 1, words[0] == "is" || words[0] == "has" { words.removeFirst() }
        var last = words.count - 1
        if last > 0, words[last - 1] != "per", let unit = units[words[last]] {
            words[last] = unit
            last -= 1
        }
        if let extreme = extremes[words[last]], words.count > 1 { words[last] = extreme }
        for place in words.indices.dropFirst() where words[place] == "second" && words[place - 1] == "per" {
            words[place] = "s"
        }
        return words.joined(separator: "_")
    }

    private static func isUppercase(_ letter: UInt8) -> Bool { letter >= 0x41 && letter <= 0x5A }

    /// An acronym is one word: `openCPUShare` is open, cpu and share.
    private static func words(of letters: [UInt8]) -> [String] {
        var (words, start) = ([String](), 0)
        for place in letters.indices.dropFirst() where isUppercase(letters[place]) {
            let endsAcronym = place + 1 < letters.count && !isUppercase(letters[place + 1])
            guard !isUppercase(letters[place - 1]) || endsAcronym else { continue }
            words.append(String(decoding: letters[start..<place], as: UTF8.self).lowercased())
            start = place
        }
        return words + [String(decoding: letters[start...], as: UTF8.self).lowercased()]
    }
}

struct Member: CodingKey {
    var stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}

struct MemberNaming<Key: CodingKey> {
    /// True for a type that accepts any text, as in a dictionary.
    let isData = Key(stringValue: "\u{0}") != nil

    func callAsFunction(_ key: Key) -> Member {
        Member(stringValue: isData ? key.stringValue : MemberName.of(key.stringValue))
    }

    func property(of member: Member) -> String {
        guard !isData, let first = member.stringValue.firstIndex(of: "_"), first > member.stringValue.startIndex else {
            return member.stringValue
        }
        let words = member.stringValue[first...].split(separator: "_")
        return member.stringValue[..<first] + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
