package import AdServing
import Values

/// Words that may be sessions of others' viewers; at the limit of bytes, digests up to half the reach are kept.
package struct StraySightings: Equatable, Sendable, CodableByForm {
    /// An answer with several foreign sessions is one finding.
    package struct Key: Hashable, Codable, Sendable {
        var words: [UInt64]
        /// Empty outside any break.
        package var breakKey: String
        /// An answer that is itself a finding is not compared.
        var isCompared: Bool

        func with(_ words: [UInt64]) -> Key { Key(words: words, breakKey: breakKey, isCompared: isCompared) }
    }

    package struct Entry: Equatable, Codable, Sendable {
        package fileprivate(set) var count: UInt64
        package fileprivate(set) var viewers: FewViewers
        package fileprivate(set) var first: Sighting
        package fileprivate(set) var last: Sighting

        fileprivate var hasEvidence: Bool { !first.evidence.expected.isEmpty }

        fileprivate mutating func add(_ other: Entry) {
            count &+= other.count
            viewers.formUnion(other.viewers)
            first = hasEvidence == other.hasEvidence ? min(first, other.first) : hasEvidence ? first : other.first
            last = max(last, other.last)
        }
    }

    /// Limits in bytes.
    package static let roomOfLoop = 1 << 19
    package static let roomOfProcess = 1 << 20
    package static let roomOfMerge = 1 << 24
    private static let bytesOfEntry = 64
    /// Later entries keep only viewer and time.
    private static let mostEvidence = 256
    private static let noEvidence = Evidence(url: "")

    private let room: Int
    private(set) var entries: [Key: Entry] = [:]
    /// Largest digest up to which all words are included.
    package private(set) var reach = UInt64.max
    private var bytes = 0
    private var withEvidence = 0

    package init(room: Int) { self.room = room }

    /// `words` are sorted, unique digests, complete up to `reach`; `breakKey` is empty outside any break.
    package mutating func record(
        _ words: [UInt64],
        reach: UInt64,
        breakKey: String,
        isCompared: Bool = false,
        at moment: ViewerMoment,
        evidence: () -> Evidence
    ) {
        if reach < self.reach { keepWords(upTo: reach) }
        let key = Key(words: words.filter { $0 <= self.reach }, breakKey: breakKey, isCompared: isCompared)
        guard !key.words.isEmpty else { return }
        let isKept = entries[key]?.hasEvidence ?? (withEvidence < Self.mostEvidence)
        let sighting = Sighting(moment, isKept ? evidence() : Self.noEvidence)
        add(Entry(count: 1, viewers: FewViewers(moment.viewer), first: sighting, last: sighting), as: key)
        makeRoom()
    }

    package mutating func add(_ other: StraySightings) {
        if other.reach < reach { keepWords(upTo: other.reach) }
        for (key, entry) in other.entries { add(entry, as: key.with(key.words.filter { $0 <= reach })) }
        makeRoom()
    }

    /// Removes digests of words that are not foreign.
    package mutating func leaveOut(_ known: Set<UInt64>) { keep { !known.contains($0) } }

    package var words: Set<UInt64> { Set(entries.keys.lazy.flatMap(\.words)) }

    /// Answers with a word whose owner is known; the first word that `find` knows counts.
    package func known<Owner>(_ find: (UInt64) -> Owner?) -> [(key: Key, entry: Entry, owner: Owner)] {
        entries.compactMap { key, entry in
            for word in key.words { if let owner = find(word) { return (key, entry, owner) } }
            return nil
        }
    }

    private mutating func add(_ entry: Entry, as key: Key) {
        guard !key.words.isEmpty else { return }
        var (entry, before) = (entry, 0)
        if let known = entries[key] {
            before = Self.bytes(key, known)
            if known.hasEvidence { withEvidence -= 1 }
        }
        let hasRoom = withEvidence < Self.mostEvidence
        if !hasRoom {
            entry.first.evidence = Self.noEvidence
            entry.last.evidence = Self.noEvidence
        }
        if entries[key]?.add(entry) == nil { entries[key] = entry }
        guard let sum = entries[key] else { return }
        if sum.hasEvidence { withEvidence += 1 }
        bytes += Self.bytes(key, sum) - before
    }

    private static func bytes(_ key: Key, _ entry: Entry) -> Int {
        bytesOfEntry + key.words.count * 8 + entry.viewers.bytes
    }

    private mutating func makeRoom() { while bytes > room, reach > 0 { keepWords(upTo: reach / 2) } }

    private mutating func keepWords(upTo reach: UInt64) {
        self.reach = reach
        keep { $0 <= reach }
    }

    private mutating func keep(where isKept: (UInt64) -> Bool) {
        let all = entries
        (entries, bytes, withEvidence) = ([:], 0, 0)
        for (key, entry) in all { add(entry, as: key.with(key.words.filter(isKept))) }
    }

    package struct Form: Codable {
        var reach: UInt64
        var answers: [Key: Entry]
    }

    package init(form: Form) {
        self.init(room: Self.roomOfProcess)
        reach = form.reach
        for (key, entry) in form.answers { add(entry, as: key.with(key.words.filter { $0 <= reach }.sorted())) }
        makeRoom()
    }

    package var form: Form { Form(reach: reach, answers: entries) }
}

/// Digests of sessions given to one process's viewers, by index of their viewers.
package struct SessionSample: Equatable, Codable, Sendable, CheckedWhenRead {
    package typealias Entry = SessionDigests.Entry

    /// Two megabytes as text.
    package static let most = 1 << 16

    package let given: Int
    private let digests: [UInt64]
    private let viewers: [Int64]

    /// `given` is the total; `kept` have the smallest digests, in order.
    package init(given: Int, kept: [Entry]) {
        self.given = given
        (digests, viewers) = (kept.map(\.digest), kept.map { Int64($0.viewer) })
    }

    package var kept: [Entry] { zip(digests, viewers).map { Entry(digest: $0, viewer: Int32(clamping: $1)) } }

    /// Largest digest up to which all sessions are included.
    package var reach: UInt64 { given > digests.count ? digests.last ?? 0 : .max }

    package var problem: String? {
        digests.count == viewers.count && digests.count <= Self.most && given >= digests.count
            ? nil : "\(digests.count) sessions of \(given)"
    }
}

package struct SessionKnowledge: Equatable, Codable, Sendable {
    package var given: SessionSample
    /// Keyed by name of request kind.
    package var strays: [String: StraySightings]

    package init(given: SessionSample, strays: [String: StraySightings] = [:]) {
        (self.given, self.strays) = (given, strays)
    }
}
