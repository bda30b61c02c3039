/// Viewers of one of very many things, as a list while they are few, because bits take the room of all viewers.
package struct FewViewers: Equatable, Sendable {
    private static let most = 64

    private var listed: [Int32] = []
    /// All viewers, if they are too many for a list.
    private var many: ViewerSet?

    init(_ viewers: some Sequence<Int>) {
        for viewer in viewers { insert(viewer) }
    }

    mutating func insert(_ viewer: Int) {
        guard many == nil else {
            many?.insert(viewer)
            return
        }
        let number = Int32(clamping: viewer)
        let place = listed.firstIndex { $0 >= number } ?? listed.count
        guard place == listed.count || listed[place] != number else { return }
        listed.insert(number, at: place)
        if listed.count > Self.most {
            many = all
            listed = []
        }
    }

    mutating func formUnion(_ other: FewViewers) {
        guard other.many != nil || many != nil else {
            for viewer in other.listed { insert(Int(viewer)) }
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
        for viewer in listed { all.insert(Int(viewer)) }
        return all
    }

    var bytes: Int { many?.bytes ?? listed.count * 4 }
}

extension FewViewers: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let numbers = try? value.decode([Int32].self) {
            self.init(numbers.lazy.map(Int.init))
        } else {
            self.init([])
            many = try value.decode(ViewerSet.self)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if let many { try value.encode(many) } else { try value.encode(listed) }
    }
}
