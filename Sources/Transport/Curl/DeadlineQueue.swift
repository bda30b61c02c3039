import Values

/// Deadlines that all lie the same distance after their start, in constant time each.
///
/// Because the distance is constant, the order of arrival is the order of expiry: a linked list does the work of a heap or of
/// libcurl's splay tree without their cost for every request. Members are transfer slots.
struct DeadlineQueue {
    private struct Link {
        var previous: Int32 = -1
        var next: Int32 = -1
        var deadline = Instant.zero
        var isMember = false
    }

    /// Distance from start to deadline, in nanoseconds.
    let timeout: Int64
    private var links: ContiguousArray<Link> = []
    private var head: Int32 = -1
    private var tail: Int32 = -1

    init(timeout: Int64) {
        self.timeout = timeout
    }

    var earliest: Instant? { head < 0 ? nil : links[Int(head)].deadline }

    /// Starts a slot's time at `now`, anew if it runs already; `now` never goes back from call to call.
    mutating func start(_ slot: Int32, at now: Instant) {
        remove(slot)
        while links.count <= Int(slot) { links.append(Link()) }
        links[Int(slot)] = Link(previous: tail, next: -1, deadline: now.later(by: timeout), isMember: true)
        if tail >= 0 { links[Int(tail)].next = slot } else { head = slot }
        tail = slot
    }

    /// Gives the slots back the time that passed in a stall of this length, which ended at `end`.
    ///
    /// A slot that started within the stall gets back only the rest of it, so that the order of expiry stays.
    mutating func postpone(by nanoseconds: Int64, until end: Instant) {
        let latest = end.later(by: timeout)
        for index in links.indices where links[index].isMember && links[index].deadline < latest {
            links[index].deadline = min(links[index].deadline.later(by: nanoseconds), latest)
        }
    }

    mutating func remove(_ slot: Int32) {
        guard Int(slot) < links.count, links[Int(slot)].isMember else { return }
        let link = links[Int(slot)]
        if link.previous >= 0 { links[Int(link.previous)].next = link.next } else { head = link.next }
        if link.next >= 0 { links[Int(link.next)].previous = link.previous } else { tail = link.previous }
        links[Int(slot)].isMember = false
    }

    mutating func popExpired(at now: Instant) -> Int32? {
        guard let deadline = earliest, deadline <= now else { return nil }
        let slot = head
        remove(slot)
        return slot
    }
}
