import Foundation
import Values

/// Exact set of viewer numbers as bits.
package struct ViewerSet: Equatable, Sendable, CodableByForm, EmptyWhereMissing {
    /// Later viewers are only counted, which limits the set to 8 MiB.
    package static let highestViewer = 1 << 26

    private var words: [UInt64] = []
    package private(set) var count = 0
    /// Insertions past the limit; if any, `count` is a lower bound.
    package private(set) var notHeld = 0

    package init() {}

    /// Returns whether the viewer is new.
    @discardableResult
    package mutating func insert(_ viewer: Int) -> Bool {
        guard viewer >= 0, viewer < Self.highestViewer else {
            notHeld &+= 1
            return false
        }
        let word = viewer >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(word + 1, words.count * 2) - words.count))
        }
        let bit = UInt64(1) << UInt64(viewer & 63)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    package func contains(_ viewer: Int) -> Bool {
        guard viewer >= 0, viewer >> 6 < words.count else { return false }
        return words[viewer >> 6] & (1 << UInt64(viewer & 63)) != 0
    }

    var bytes: Int { words.count * 8 }

    package var lowest: Int? {
        guard let word = words.firstIndex(where: { $0 != 0 }) else { return nil }
        return word << 6 | words[word].trailingZeroBitCount
    }

    /// The first `most` ranges, such as `3` and `7-9`.
    package func ranges(atMost most: Int) -> [String] {
        var ranges: [ClosedRange<Int>] = []
        for viewer in Self.bits(of: words) {
            if let last = ranges.last, last.upperBound + 1 == viewer {
                ranges[ranges.count - 1] = last.lowerBound...viewer
            } else if ranges.count < most {
                ranges.append(viewer...viewer)
            } else {
                break
            }
        }
        return ranges.map { $0.count == 1 ? String($0.lowerBound) : "\($0.lowerBound)-\($0.upperBound)" }
    }

    private static func bits(of words: some Sequence<some FixedWidthInteger>) -> some Sequence<Int> {
        words.lazy.enumerated().flatMap { index, word in
            sequence(state: word) { rest -> Int? in
                guard rest != 0 else { return nil }
                defer { rest &= rest &- 1 }
                return index * rest.bitWidth + rest.trailingZeroBitCount
            }
        }
    }

    package mutating func formUnion(_ other: ViewerSet) {
        if other.words.count > words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in others.indices where others[index] != 0 {
                    let union = words[index] | others[index]
                    count += (union ^ words[index]).nonzeroBitCount
                    words[index] = union
                }
            }
        }
        notHeld &+= other.notHeld
    }

    package func subtracting(_ other: ViewerSet) -> ViewerSet {
        var rest = self
        for index in 0..<min(words.count, other.words.count) { rest.words[index] &= ~other.words[index] }
        rest.count = rest.words.reduce(0) { $0 + $1.nonzeroBitCount }
        return rest
    }

    package func isDisjoint(with other: ViewerSet) -> Bool { subtracting(other).count == count }

    package static func == (lhs: ViewerSet, rhs: ViewerSet) -> Bool {
        guard lhs.count == rhs.count, lhs.notHeld == rhs.notHeld else { return false }
        return zip(lhs.words, rhs.words).allSatisfy { $0 == $1 }
    }

    /// Every `step`-th viewer from `first` on is a bit, the lowest first, in base64.
    package struct Form: Codable {
        var first = 0
        var step = 1
        var words = ""
        var notHeld: Int
    }

    package init(form: Form) throws {
        guard (0..<1 << 48).contains(form.notHeld), form.words.isEmpty || insert(form) else {
            throw FormError("no set of viewers")
        }
        notHeld = form.notHeld
    }

    /// False for damaged bits and too large numbers.
    private mutating func insert(_ form: Form) -> Bool {
        let (first, step) = (form.first, form.step)
        guard let bytes = Data(base64Encoded: form.words).map([UInt8].init),
            (0..<Self.highestViewer).contains(first), (1...Self.highestViewer).contains(step)
        else { return false }
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return true }
        let highest = last * 8 + 7 - bytes[last].leadingZeroBitCount
        let (distance, overflow) = highest.multipliedReportingOverflow(by: step)
        guard !overflow, distance < Self.highestViewer - first else { return false }
        // The highest first, so that room is made once.
        insert(first + distance)
        for place in Self.bits(of: bytes) { insert(first + place * step) }
        return true
    }

    /// Viewers of a shard or a loop are every n-th: as plain bits they would take as much room as all viewers.
    package var form: Form {
        var form = Form(notHeld: notHeld)
        guard let lowest else { return form }
        var divisor = 0
        for viewer in Self.bits(of: words) {
            var smaller = viewer - lowest
            while smaller != 0 { (divisor, smaller) = (smaller, divisor % smaller) }
            if divisor == 1 { break }
        }
        (form.first, form.step) = (lowest, max(1, divisor))
        var bytes: [UInt8] = []
        for viewer in Self.bits(of: words) {
            let place = (viewer - lowest) / form.step
            let missing = place / 8 + 1 - bytes.count
            if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
            bytes[place / 8] |= 1 << UInt8(place % 8)
        }
        form.words = Data(bytes).base64EncodedString()
        return form
    }
}

/// A list while viewers are few, because bits take the room of all viewers.
package struct FewViewers: Equatable, Sendable, Codable {
    private static let most = 64

    private var listed: [Int] = []
    private var many: ViewerSet?

    init(_ viewer: Int) { listed = [viewer] }

    private mutating func insert(_ viewer: Int) {
        let place = listed.firstIndex { $0 >= viewer } ?? listed.count
        guard place == listed.count || listed[place] != viewer else { return }
        listed.insert(viewer, at: place)
        if listed.count > Self.most {
            many = all
            listed = []
        }
    }

    mutating func formUnion(_ other: FewViewers) {
        guard other.many != nil || many != nil else {
            for viewer in other.listed { insert(viewer) }
            return
        }
        var sum = all
        sum.formUnion(other.all)
        many = sum
        listed = []
    }

    package var all: ViewerSet {
        if let many { return many }
        var all = ViewerSet()
        for viewer in listed { all.insert(viewer) }
        return all
    }

    var bytes: Int { many?.bytes ?? listed.count * 8 }
}
