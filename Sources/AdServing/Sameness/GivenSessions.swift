import Synchronization
import Values

/// Sessions given to the run's viewers: an id's shape does not prove that another viewer's answer leaks a session.
///
/// Safe for any thread. Very long runs forget their oldest sessions.
package final class GivenSessions: Sendable {
    /// Bytes; a shorter id may be any word.
    private static let shortest = 8
    private static let mostSessions = 1 << 20
    private static let mostFound = 8
    /// Ids of one target have few lengths.
    private static let mostLengths = 24

    private struct State {
        /// Keyed by the id's hash.
        var owners: [UInt64: Int32] = [:]
        var order: [UInt64] = []
        var oldest = 0
        var forgotten = 0
        var lengths: [Int] = []
        var idLengths: [Int] = []
    }

    private let state = Mutex(State())
    /// Salt of digests for other processes.
    private let key: String?

    /// `key` is common to all processes of the run; nil if this one has all viewers.
    package init(sharedAs key: String? = nil) { self.key = key }

    /// Whether other processes have viewers of the run.
    package var areShared: Bool { key != nil }

    /// A session of two viewers stays the first one's.
    package func add(_ id: String, viewer: Int) {
        guard id.utf8.count >= Self.shortest else { return }
        let hash = RunHash.value(of: id)
        guard state.withLock({ $0.owners[hash] == nil }) else { return }
        // An id with marks of URLs has no plain spelling, and most ids no other.
        let isPlain = id.utf8.allSatisfy(\.isUnreserved)
        var spellings = isPlain || !id.utf8.contains(where: SessionWords.marks) ? [id] : []
        if !isPlain {
            let encoded = PercentEncoding.encode(id)
            spellings += [encoded, PercentEncoding.encode(encoded)]
        }
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

    /// At most `most` digests: the first 64 bits of SHA-256 over the key and a hash of the id.
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

    package func areNamed(in text: UnsafeRawBufferPointer) -> Bool { !found(in: text, limit: 1) { _ in true }.isEmpty }

    /// Decoded ids of other viewers: secrets, to be redacted before they leave the process; at most eight.
    package func foreign(in text: UnsafeRawBufferPointer, to viewer: Int) -> [String] {
        found(in: text, limit: Self.mostFound) { $0 != Int32(clamping: viewer) }
    }

    /// Words that may be ids of sessions in another process; empty in a run of one process.
    package func strangers(in text: UnsafeRawBufferPointer) -> StrangeWords {
        guard let key else { return .none }
        let (lengths, idLengths) = state.withLock { ($0.lengths, $0.idLengths) }
        guard !lengths.isEmpty else { return .none }
        let words = SessionWords(text, lengths: lengths)
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
        let words = SessionWords(text, lengths: lengths)
        let hashes = words.found.map(Self.hash(ofWord:))
        guard !hashes.isEmpty else { return [] }
        // One lock for all hashes: every event loop waits here.
        let owners = state.withLock { state in hashes.map { state.owners[$0] } }
        var found: [String] = []
        for (word, owner) in zip(words.found, owners) where found.count < limit {
            guard let owner, isWanted(owner) else { continue }
            let id = Self.decoded(word)
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    private static func decoded(_ word: UnsafeRawBufferPointer) -> String {
        PercentEncoding.decode(PercentEncoding.decode(String(decoding: word, as: UTF8.self)))
    }

    private static func hash(ofWord word: UnsafeRawBufferPointer) -> UInt64 {
        word.contains(UInt8(ascii: "%")) ? RunHash.value(of: decoded(word)) : RunHash.value(of: word)
    }
}

/// Digests by which processes with one key find common sessions; they reveal no id that cannot be guessed.
package struct SessionDigests: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var digest: UInt64
        package var viewer: Int32

        package init(digest: UInt64, viewer: Int32) { (self.digest, self.viewer) = (digest, viewer) }
    }

    package var given: Int
    /// Smallest digests in order, so that all processes keep the same part.
    package var kept: [Entry]
    package var met: Set<UInt64> = []
}

package enum MaskedBody {
    package static func fingerprint(_ body: UnsafeRawBufferPointer, own: StreamID) -> UInt64 {
        var hash = RunHash()
        OwnID(own.rawValue).runs(around: body) { hash.add($0) }
        return hash.value
    }
}
