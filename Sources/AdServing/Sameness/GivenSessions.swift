import OpenSSL
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
        /// Of the ids themselves.
        var idLengths: [Int] = []
    }

    private let state = Mutex(State())
    /// What ids are hashed with for other processes; nil where there are none.
    private let key: String?

    /// - Parameter key: What all processes of the run have in common; nil where this one has all viewers.
    package init(sharedAs key: String? = nil) { self.key = key }

    /// Whether other processes have viewers of the run.
    package var areShared: Bool { key != nil }

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
            if state.idLengths.count < Self.mostLengths, !state.idLengths.contains(id.utf8.count) {
                state.idLengths.append(id.utf8.count)
            }
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

    /// Digests of the sessions that this run was given, for other processes.
    ///
    /// - Parameters:
    ///   - most: How many are kept.
    ///   - strange: What was taken for strange.
    /// - Returns: The digests, each the first 64 bits of SHA-256 over the key and a hash of the id.
    package func digests(most: Int, among strange: Set<UInt64> = []) -> SessionDigests {
        let (owners, forgotten) = state.withLock { ($0.owners, $0.forgotten) }
        var entries = owners.map { hash, viewer in
            SessionDigests.Entry(digest: Self.digest(of: hash, keyedBy: key ?? ""), viewer: viewer)
        }
        entries.sort { ($0.digest, $0.viewer) < ($1.digest, $1.viewer) }
        return SessionDigests(
            given: entries.count + forgotten,
            kept: Array(entries.prefix(max(0, most))),
            met: strange.isEmpty ? [] : Set(entries.lazy.map(\.digest).filter(strange.contains))
        )
    }

    private static func digest(of hash: UInt64, keyedBy key: String) -> UInt64 {
        let bytes = Array(key.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        return Digest.sha256(of: bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
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

    /// The words of a text that are as long as ids are and were given to nobody here: to viewers of other processes, perhaps.
    ///
    /// - Parameter text: A body, a URL or a header's value.
    /// - Returns: None where no other process has viewers of the run.
    package func strangers(in text: UnsafeRawBufferPointer) -> StrangeWords {
        guard let key else { return .none }
        let (lengths, idLengths) = state.withLock { ($0.lengths, $0.idLengths) }
        guard !lengths.isEmpty else { return .none }
        var words = SessionWords(text, lengths: lengths)
        words.findAll()
        var hashes: Set<UInt64> = []
        for word in words.found {
            let isEncoded = word.contains(UInt8(ascii: "%"))
            let length = isEncoded ? Self.decoded(word).utf8.count : word.count
            if idLengths.contains(length) { hashes.insert(Self.hash(ofWord: word)) }
        }
        guard !hashes.isEmpty else { return .none }
        let unknown = state.withLock { state in hashes.filter { state.owners[$0] == nil } }
        return StrangeWords(unknown.map { Self.digest(of: $0, keyedBy: key) })
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
