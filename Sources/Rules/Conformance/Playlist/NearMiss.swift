import Values

/// Finds the defined name that a name was probably meant to be: a hint, since any name is lawful.
struct NearMiss {
    /// Bytes.
    private static let longest = 48
    /// Bytes; in shorter names, one letter makes another word.
    private static let shortest = 5
    /// Common bytes of two words that differ in their endings only; one less if the word is cut off.
    private static let commonStem = 4

    private struct Name {
        let text: String
        let words: [[UInt8]]
        let letters: [UInt8]

        init(_ text: String) {
            self.text = text
            let parts = text.utf8.split { !$0.isAlphanumeric }.map { $0.map { $0 | 0x20 } }
            words = parts.first == [UInt8(ascii: "x")] && parts.count > 1 ? Array(parts.dropFirst()) : parts
            letters = Array(words.joined())
        }
    }

    private let names: [Name]

    init(_ names: [String]) { self.names = names.map(Name.init) }

    /// Allows for letter case, marks, a leading `X-`, one letter, the ending of one word, or a word left out of a reversed
    /// domain or put before or behind it; nil for a defined name.
    func name(meantBy text: String) -> String? {
        guard text.utf8.count <= Self.longest, !names.contains(where: { $0.text == text }) else { return nil }
        let found = Name(text)
        return (names.first { $0.letters == found.letters } ?? names.first { Self.isNear($0, found) })?.text
    }

    private static func isNear(_ name: Name, _ found: Name) -> Bool {
        if name.letters.count < shortest { return found.letters == name.letters + [UInt8(ascii: "s")] }
        return isOneEdit(name.letters, found.letters) || differsInOneEnding(name.words, found.words)
            || name.text.contains(".") && differsInOneWord(name.words, found.words)
    }

    private static func differsInOneWord(_ name: [[UInt8]], _ found: [[UInt8]]) -> Bool {
        if [found.dropFirst(), found.dropLast()].contains(where: { $0.elementsEqual(name) }) { return true }
        let same = zip(name, found).prefix { $0 == $1 }.count
        return name.count == found.count + 1 && same > 0 && same < found.count
            && found[same...].elementsEqual(name[(same + 1)...])
    }

    /// One letter more, less or other, or two letters exchanged.
    private static func isOneEdit(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        guard long.count - short.count <= 1 else { return false }
        let head = zip(short, long).prefix { $0 == $1 }.count
        let tail = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
        if head + tail >= long.count - 1 { return true }
        guard short.count == long.count, head + tail == long.count - 2 else { return false }
        return short[head] == long[head + 1] && short[head + 1] == long[head]
    }

    private static func differsInOneEnding(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool {
        guard left.count == right.count else { return false }
        let others = zip(left, right).filter { $0 != $1 }
        guard others.count == 1, let pair = others.first else { return false }
        let isCut = left.count > 1 && pair.1.count >= commonStem - 1 && pair.0.starts(with: pair.1)
        return isCut || zip(pair.0, pair.1).prefix { $0 == $1 }.count >= commonStem
    }
}
