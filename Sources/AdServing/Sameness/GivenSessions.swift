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
    /// Ids of one target are of few lengths.
    private static let mostLengths = 24

    private struct State {
        /// The viewer that each was given to first, by the id's hash.
        var owners: [UInt64: Int32] = [:]
        var order: [UInt64] = []
        var oldest = 0
        /// Sessions that nobody knows any more.
        var forgotten = 0
        /// Of all spellings, in bytes.
        var lengths: [Int] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// A viewer was given a session; one that cannot be told from a word is left out.
    ///
    /// What two viewers were given stays the first one's.
    package func add(_ id: String, viewer: Int) {
        guard id.utf8.count >= Self.shortest else { return }
        let hash = Self.hash(of: id)
        guard state.withLock({ $0.owners[hash] == nil }) else { return }
        // In text it may be encoded, and so may be its encoding. One with marks of URLs in it is found in no other spelling.
        let encoded = PercentEncoding.encode(id)
        let isWord = !id.utf8.contains(where: SessionWords.marks)
        let spellings = (isWord ? [id] : []) + [encoded, PercentEncoding.encode(encoded)]
        state.withLock { state in
            guard state.owners[hash] == nil else { return }
            state.owners[hash] = Int32(clamping: viewer)
            for length in spellings.map(\.utf8.count) where !state.lengths.contains(length) {
                guard state.lengths.count < Self.mostLengths else { break }
                state.lengths.append(length)
            }
            state.order.append(hash)
            guard state.order.count - state.oldest > Self.mostSessions else { return }
            state.owners[state.order[state.oldest]] = nil
            state.oldest += 1
            state.forgotten += 1
            if state.oldest >= Self.mostSessions {
                state.order.removeFirst(state.oldest)
                state.oldest = 0
            }
        }
    }

    /// The viewer that each was given to first, by the id's hash, and how many are known no more.
    var ownersByHash: (owners: [UInt64: Int32], forgotten: Int) { state.withLock { ($0.owners, $0.forgotten) } }

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
        guard !lengths.isEmpty else { return [] }
        var words = SessionWords(text, lengths: lengths)
        words.findAll()
        let hashes = words.found.map(Self.hash(ofWord:))
        guard !hashes.isEmpty else { return [] }
        // Asked for all at once: every loop waits for the others here.
        let owners = state.withLock { state in hashes.map { state.owners[$0] } }
        var found: [String] = []
        for (word, owner) in zip(words.found, owners) where found.count < limit {
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
