import HLS
package import Values

/// Memory of a parsed answer, counted while this object lives.
///
/// Counted memory leaves less room for arriving bodies, so a target whose answers take megabytes gets its next ones refused.
package final class KeptMemory: Sendable {
    /// Nearly all answers are smaller and not counted.
    private static let freeBytes = 128 << 10

    package let bytes: Int
    private let account: BodyBudget

    /// Nil for small answers, and without an account.
    package init?(_ bytes: Int, _ account: BodyBudget?) {
        guard let account, bytes > Self.freeBytes else { return nil }
        (self.bytes, self.account) = (bytes, account)
        account.hold(bytes)
    }

    deinit { account.giveBack(bytes) }
}

extension MediaPlaylist {
    /// Approximate.
    var keptBytes: Int {
        text.count + segments.count * MemoryLayout<Segment>.stride + parts.count * MemoryLayout<PartialSegment>.stride
            + otherTags.count * MemoryLayout<OtherTag>.stride
            // Each has some texts of its own, and its announcement keeps them a second time.
            + dateRanges.count * (MemoryLayout<DateRange>.stride + 512)
    }
}

/// A value that few viewers have: one word in the viewer, and no heap memory until set.
struct OptionalBox<Value: Sendable>: Sendable {
    // At most one element; an array is one word, allocates nothing while empty, and copies on write.
    private var storage: [Value] = []

    var isEmpty: Bool { storage.isEmpty }

    var value: Value? {
        get { storage.first }
        set { storage = newValue.map { [$0] } ?? [] }
    }

    subscript(default make: @autoclosure () -> Value) -> Value {
        _read {
            if storage.isEmpty {
                yield make()
            } else {
                yield storage[0]
            }
        }
        _modify {
            if storage.isEmpty { storage.append(make()) }
            yield &storage[0]
        }
    }

    mutating func change<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard !storage.isEmpty else { return nil }
        return body(&storage[0])
    }
}

// A target's answers must not fill the memory.

extension Dictionary {
    /// A full store is cleared first.
    package mutating func keep(_ value: Value, for key: Key, atMost limit: Int) {
        if count >= limit { removeAll(keepingCapacity: true) }
        self[key] = value
    }
}

extension Set {
    /// A full set is cleared first.
    package mutating func keep(_ element: Element, atMost limit: Int) {
        if count >= limit { removeAll(keepingCapacity: true) }
        insert(element)
    }
}

extension Array {
    /// A full list loses its first element.
    package mutating func append(_ element: Element, atMost limit: Int) {
        if count >= limit { removeFirst() }
        append(element)
    }
}
