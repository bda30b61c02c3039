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
