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
