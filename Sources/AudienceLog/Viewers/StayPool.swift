/// A time during which a viewer watches, in milliseconds from the reading's zero.
struct Stay: Equatable {
    var first: Int32
    var last: Int32
}

/// Stays of viewers that have several, as lists in one array.
struct StayPool {
    private struct Node {
        var stay: Stay
        /// The place of the next one from 1, or 0.
        var next: UInt32
    }

    private var nodes: [Node] = []
    private var free: UInt32 = 0
    private(set) var used = 0
    /// Whether a stay was added since somebody last said that none was.
    var isGrown = false

    /// Puts a stay before a list and returns the list's new place.
    mutating func push(_ stay: Stay, before list: UInt32) -> UInt32 {
        used += 1
        isGrown = true
        guard free != 0 else {
            nodes.append(Node(stay: stay, next: list))
            return UInt32(nodes.count)
        }
        let place = free
        free = nodes[Int(place) - 1].next
        nodes[Int(place) - 1] = Node(stay: stay, next: list)
        return place
    }

    /// Goes through a list.
    func forEach(_ list: UInt32, _ body: (Stay) -> Void) {
        var place = list
        while place != 0 {
            body(nodes[Int(place) - 1].stay)
            place = nodes[Int(place) - 1].next
        }
    }

    func count(_ list: UInt32) -> Int {
        var count = 0
        forEach(list) { _ in count += 1 }
        return count
    }

    /// Takes all stays out of a list that are no more than a gap away from one, and makes that one span them.
    mutating func join(_ list: UInt32, into stay: inout Stay, gap: Int32) -> UInt32 {
        var (kept, place): (UInt32, UInt32) = (0, list)
        var isChanged = false
        while place != 0 {
            let node = nodes[Int(place) - 1]
            let isNear =
                Int64(node.stay.first) - Int64(stay.last) <= Int64(gap)
                && Int64(stay.first) - Int64(node.stay.last) <= Int64(gap)
            if isNear {
                stay.first = min(stay.first, node.stay.first)
                stay.last = max(stay.last, node.stay.last)
                release(place)
                isChanged = true
            } else {
                nodes[Int(place) - 1].next = kept
                kept = place
            }
            place = node.next
        }
        // It may have come near to one that it was far from before.
        return isChanged ? join(kept, into: &stay, gap: gap) : kept
    }

    /// Gives a whole list back.
    mutating func release(all list: UInt32) {
        var place = list
        while place != 0 {
            let next = nodes[Int(place) - 1].next
            release(place)
            place = next
        }
    }

    private mutating func release(_ place: UInt32) {
        nodes[Int(place) - 1].next = free
        free = place
        used -= 1
    }
}
