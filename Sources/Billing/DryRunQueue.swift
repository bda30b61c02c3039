import Time

/// What falls due in a dry run.
enum DryRunEvent {
    /// Of a viewer; the detail is that of its timer, or the one of a join.
    case timer(viewer: Int, detail: UInt8)
    /// The answer to the open request of that number.
    case answer(request: Int)
}

/// The events of a dry run, the earliest first; those of one instant in the order in which they were added.
struct DryRunQueue {
    private struct Entry {
        let at: Int64
        let order: Int
        let event: DryRunEvent

        func precedes(_ other: Entry) -> Bool {
            at == other.at ? order < other.order : at < other.at
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var added = 0

    var firstInstant: Instant? { entries.first.map { Instant(nanoseconds: $0.at) } }

    mutating func add(_ event: DryRunEvent, at instant: Instant) {
        added += 1
        let entry = Entry(at: instant.nanoseconds, order: added, event: event)
        entries.append(entry)
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.precedes(entries[parent]) else { break }
            entries[place] = entries[parent]
            place = parent
        }
        entries[place] = entry
    }

    mutating func takeFirst() -> (at: Instant, event: DryRunEvent)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if !entries.isEmpty { sink(last) }
        return (Instant(nanoseconds: first.at), first.event)
    }

    /// Puts an entry in the place of the first, and then where it belongs.
    private mutating func sink(_ entry: Entry) {
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
            guard entries[child].precedes(entry) else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = entry
    }
}
