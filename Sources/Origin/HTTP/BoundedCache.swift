import Synchronization

/// Beyond the limit all values are dropped.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    func value(_ key: Key, make: () -> Value) -> Value {
        values.withLock { values in
            if let known = values[key] { return known }
            let fresh = make()
            if values.count >= limit { values.removeAll(keepingCapacity: true) }
            values[key] = fresh
            return fresh
        }
    }
}
