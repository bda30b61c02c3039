/// A value that few viewers have: one word in the viewer, and nothing on the heap until there is one.
///
/// It has value semantics. What it holds is changed where it is, without a copy of it.
struct OptionalBox<Value: Sendable>: Sendable {
    // An array of none or one: the only storage that is one word, holds nothing while it is empty, and copies on write.
    private var storage: [Value] = []

    init() {}

    init(_ value: Value) {
        storage = [value]
    }

    var isEmpty: Bool { storage.isEmpty }

    /// The value; nil where there is none.
    var value: Value? {
        get { storage.first }
        set { storage = newValue.map { [$0] } ?? [] }
    }

    /// The value; a change of one that is not there makes it from the default first.
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

    /// Changes the value where it is.
    ///
    /// - Returns: What `body` returns; nil where there is no value.
    mutating func change<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard !storage.isEmpty else { return nil }
        return body(&storage[0])
    }
}
