import Synchronization

/// The stream sessions that a run was given, so that one that shows up in another viewer's answers is proved to be a leak:
/// the shape of an id proves nothing.
///
/// Any thread may call it. Bounded: of the oldest sessions of a very long run nobody knows any more.
package final class GivenSessions: Sendable {
    /// An id that is shorter may be any word.
    private static let shortest = 8
    private static let mostSessions = 1 << 20
    private static let mostFound = 8

    private struct State {
        /// The viewer that each was given to, by the id's hash.
        var owners: [UInt64: Int32] = [:]
        var order: [UInt64] = []
        var oldest = 0
        /// The length of the shortest and the longest spelling in bytes.
        var lengths = Int.max...Int.max
    }

    private let state = Mutex(State())

    package init() {}

    /// A viewer was given a session; one that cannot be told from a word is left out.
    package func add(_ id: String, viewer: Int) {
        guard id.utf8.count >= Self.shortest, !id.utf8.contains(where: SessionTokens.marks) else { return }
        let hash = Self.hash(of: id)
        // In text it may be encoded, and so may be its encoding.
        let longest = PercentEncoding.encode(PercentEncoding.encode(id)).utf8.count
        state.withLock { state in
            guard state.owners.updateValue(Int32(clamping: viewer), forKey: hash) == nil else { return }
            let known = state.lengths
            let isFirst = known.lowerBound == .max
            state.lengths =
                min(known.lowerBound, id.utf8.count)...(isFirst ? longest : max(known.upperBound, longest))
            state.order.append(hash)
            guard state.order.count - state.oldest > Self.mostSessions else { return }
            state.owners[state.order[state.oldest]] = nil
            state.oldest += 1
            if state.oldest >= Self.mostSessions {
                state.order.removeFirst(state.oldest)
                state.oldest = 0
            }
        }
    }

    /// Whether a text names any of them, whoever's.
    package func areNamed(in text: UnsafeRawBufferPointer) -> Bool { !found(in: text, limit: 1) { _ in true }.isEmpty }

    /// The ids in a text that were given to other viewers, as they are before any encoding: secrets, to be redacted before
    /// they leave the process.
    ///
    /// - Parameters:
    ///   - text: A body, a URL or a header's value.
    ///   - viewer: The viewer that it was given to; its own former sessions are no leak.
    /// - Returns: At most eight, each once.
    package func foreign(in text: UnsafeRawBufferPointer, to viewer: Int) -> [String] {
        found(in: text, limit: Self.mostFound) { $0 != Int32(clamping: viewer) }
    }

    private func found(in text: UnsafeRawBufferPointer, limit: Int, where isWanted: (Int32) -> Bool) -> [String] {
        let lengths = state.withLock { $0.lengths }
        guard lengths.lowerBound < .max else { return [] }
        var (words, hashes): ([UnsafeRawBufferPointer], [UInt64]) = ([], [])
        var tokens = SessionTokens(text, lengths: lengths)
        while let word = tokens.next() {
            words.append(word)
            hashes.append(Self.hash(ofWord: word))
        }
        guard !words.isEmpty else { return [] }
        // Asked for all at once: every loop waits for the others here.
        let owners = state.withLock { state in hashes.map { state.owners[$0] } }
        var found: [String] = []
        for (word, owner) in zip(words, owners) where found.count < limit {
            guard let owner, isWanted(owner) else { continue }
            let id = Self.decoded(word)
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// The id that a word of a text spells, as it was before it was encoded up to two times.
    private static func decoded(_ word: UnsafeRawBufferPointer) -> String {
        PercentEncoding.decode(PercentEncoding.decode(String(decoding: word, as: UTF8.self)))
    }

    private static func hash(ofWord word: UnsafeRawBufferPointer) -> UInt64 {
        guard !word.contains(UInt8(ascii: "%")) else { return hash(of: decoded(word)) }
        var hash = RunHash()
        hash.add(word)
        return hash.value
    }

    private static func hash(of id: String) -> UInt64 {
        var (hash, id) = (RunHash(), id)
        id.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return hash.value
    }
}

/// The words of a text that are long enough to be a session's id: what stands between the marks that URLs, headers and JSON
/// put around a value.
struct SessionTokens {
    private let text: UnsafeRawBufferPointer
    private let lengths: ClosedRange<Int>
    private var index = 0

    init(_ text: UnsafeRawBufferPointer, lengths: ClosedRange<Int>) {
        self.text = text
        self.lengths = lengths
    }

    mutating func next() -> UnsafeRawBufferPointer? {
        while index + lengths.lowerBound <= text.count {
            // No word of that length begins where a mark stands within it: most bytes are never looked at.
            if let mark = lastMark(from: index, to: index + lengths.lowerBound) {
                index = mark + 1
                continue
            }
            var end = index + lengths.lowerBound
            while end < text.count, !Self.isMark[Int(text[end])] { end += 1 }
            let word = UnsafeRawBufferPointer(rebasing: text[index..<end])
            index = end + 1
            if lengths.contains(word.count) { return word }
        }
        return nil
    }

    private func lastMark(from start: Int, to end: Int) -> Int? {
        var place = end - 1
        while place >= start {
            if Self.isMark[Int(text[place])] { return place }
            place -= 1
        }
        return nil
    }

    static func marks(_ byte: UInt8) -> Bool { isMark[Int(byte)] }

    private static let isMark: [Bool] = (0..<256).map { byte in
        byte <= 0x20 || "/=&?\"'#;,<>()[]{}|\\".utf8.contains(UInt8(byte))
    }
}
