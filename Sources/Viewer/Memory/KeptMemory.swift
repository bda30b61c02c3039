import HLS

/// Counts memory for the whole process, on any thread.
package protocol MemoryAccount: AnyObject, Sendable {
    /// Counts bytes as taken, whether or not they are left.
    func hold(_ bytes: Int)
    func giveBack(_ bytes: Int)
}

/// Memory of a parsed answer, counted while this object lives.
///
/// Counted memory leaves less room for arriving bodies: once a target's answers take megabytes, its next ones are too large.
package final class KeptMemory: Sendable {
    /// Answers up to this size, which are nearly all, are not counted.
    private static let freeBytes = 128 << 10

    package let bytes: Int
    private let account: any MemoryAccount

    /// Nil for small answers, and without an account.
    package init?(_ bytes: Int, _ account: (any MemoryAccount)?) {
        guard let account, bytes > Self.freeBytes else { return nil }
        (self.bytes, self.account) = (bytes, account)
        account.hold(bytes)
    }

    deinit { account.giveBack(bytes) }
}

extension MediaPlaylist {
    /// Approximate memory in bytes.
    var keptBytes: Int {
        text.count + segments.count * MemoryLayout<Segment>.stride + parts.count * MemoryLayout<PartialSegment>.stride
            + otherTags.count * MemoryLayout<OtherTag>.stride
            // Each has some texts of its own, and its announcement keeps them a second time.
            + dateRanges.count * (MemoryLayout<DateRange>.stride + 512)
    }
}

/// A value that few viewers have: one word in the viewer, and no heap memory until set.
///
/// Has value semantics; the value is changed in place, without a copy.
struct OptionalBox<Value: Sendable>: Sendable {
    // An array of at most one element: the only storage that is one word, allocates nothing while empty, and copies on write.
    private var storage: [Value] = []

    init() {}

    init(_ value: Value) {
        storage = [value]
    }

    var isEmpty: Bool { storage.isEmpty }

    var value: Value? {
        get { storage.first }
        set { storage = newValue.map { [$0] } ?? [] }
    }

    /// The value; modifying an absent one creates it from the default first.
    subscript(default make: @autoclosure () -> Value) -> Value {
        _read {
            if storage.isEmpty {
                yield make()
            } else {
                yield storage[0]
            }
        }
        _modify {
            if storage.isEmpty {
                storage.append(make())
            }
            yield &storage[0]
        }
    }

    /// Changes the value in place; returns nil without a value.
    mutating func change<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard !storage.isEmpty else { return nil }
        return body(&storage[0])
    }
}

// Stores of a limited size: what a target makes up must not fill the memory.

extension Dictionary {
    /// Stores a value; a full store is cleared first.
    package mutating func keep(_ value: Value, for key: Key, atMost limit: Int) {
        if count >= limit { removeAll(keepingCapacity: true) }
        self[key] = value
    }
}

extension Set {
    /// Inserts an element; a full set is cleared first.
    package mutating func keep(_ element: Element, atMost limit: Int) {
        if count >= limit { removeAll(keepingCapacity: true) }
        insert(element)
    }
}

extension Array {
    /// Appends an element; a full list loses its first one.
    package mutating func append(_ element: Element, atMost limit: Int) {
        if count >= limit { removeFirst() }
        append(element)
    }
}
