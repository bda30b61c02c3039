import Values

package struct PersonaTally: Equatable, Codable, Sendable {
    package fileprivate(set) var due: UInt64 = 0
    package fileprivate(set) var onTime: UInt64 = 0
    package fileprivate(set) var late: UInt64 = 0
    package fileprivate(set) var failed: UInt64 = 0
    /// Instants at which playheads of viewers with a pod reached the break, in microseconds of the wall clock from its start.
    package fileprivate(set) var playheadFirst: Int64?
    package fileprivate(set) var playheadLast: Int64?
    private(set) var playheadSum: Int64 = 0

    package var unresolved: UInt64 {
        let resolved = onTime &+ late &+ failed
        return due > resolved ? due - resolved : 0
    }

    /// Mean instant at which playheads reached the break; nil if no viewer had a pod.
    package var playheadMean: Int64? {
        let count = Int64(clamping: onTime &+ late)
        return count == 0 || playheadFirst == nil ? nil : playheadSum / count
    }

    fileprivate mutating func countPlayhead(_ offset: Int64) {
        playheadFirst = min(playheadFirst ?? offset, offset)
        playheadLast = max(playheadLast ?? offset, offset)
        playheadSum &+= offset
    }

    fileprivate mutating func add(_ other: PersonaTally) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        failed &+= other.failed
        playheadFirst = [playheadFirst, other.playheadFirst].compactMap(\.self).min()
        playheadLast = [playheadLast, other.playheadLast].compactMap(\.self).max()
        playheadSum &+= other.playheadSum
    }

    fileprivate init() {}
}

/// Outcomes of a break's viewers by persona, at most 16 to limit a break's size.
///
/// A persona is identified by its number in the profile; those past the last share its tally.
package struct PersonaTallies: Equatable, Sendable {
    package static let limit = 16

    private var tallies: [PersonaTally] = []

    package init() {}

    /// Indexed by persona number, up to the last that had a viewer.
    package var each: [PersonaTally] { tallies }

    package subscript(persona: Int) -> PersonaTally {
        tallies.indices.contains(persona) ? tallies[persona] : PersonaTally()
    }

    /// Whether any playhead reached the break at another instant than the wall clock did.
    package var isBehindLiveEdge: Bool {
        tallies.contains { ($0.playheadFirst ?? 0) != 0 || ($0.playheadLast ?? 0) != 0 }
    }

    mutating func countDue(_ persona: UInt8) { change(persona) { $0.due &+= 1 } }
    mutating func countFailed(_ persona: UInt8) { change(persona) { $0.failed &+= 1 } }

    mutating func countShutOut(_ persona: UInt8, viewers: UInt64) {
        change(persona) {
            $0.due &+= viewers
            $0.failed &+= viewers
        }
    }

    /// `playhead` is the instant at which it reached the break, in microseconds from the break's start.
    mutating func countOnTime(_ persona: UInt8, playhead: Int64) {
        change(persona) {
            $0.onTime &+= 1
            $0.countPlayhead(playhead)
        }
    }

    /// `playhead` is the instant at which it reached the break, in microseconds from the break's start.
    mutating func countLate(_ persona: UInt8, playhead: Int64) {
        change(persona) {
            $0.late &+= 1
            $0.countPlayhead(playhead)
        }
    }

    mutating func leaveOutUnresolved() {
        for index in tallies.indices { tallies[index].due &-= tallies[index].unresolved }
    }

    @inline(__always)
    private mutating func change(_ persona: UInt8, _ deed: (inout PersonaTally) -> Void) {
        let index = min(Int(persona), Self.limit - 1)
        makeRoom(for: index + 1)
        deed(&tallies[index])
    }

    package mutating func add(_ other: PersonaTallies) {
        makeRoom(for: other.tallies.count)
        for index in other.tallies.indices { tallies[index].add(other.tallies[index]) }
    }

    private mutating func makeRoom(for count: Int) {
        guard tallies.count < count else { return }
        tallies.append(contentsOf: repeatElement(PersonaTally(), count: count - tallies.count))
    }
}

extension PersonaTallies: Codable, EmptyWhereMissing {
    package init(from decoder: any Decoder) throws {
        tallies = try [PersonaTally](from: decoder)
        let largest = tallies.reduce(0) { max($0, $1.due, $1.onTime, $1.late, $1.failed) }
        guard tallies.count <= Self.limit, largest < 1 << 48 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(tallies.count) personas, up to \(largest)")
            )
        }
    }

    package func encode(to encoder: any Encoder) throws { try tallies.encode(to: encoder) }
}
