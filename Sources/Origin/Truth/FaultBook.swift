struct FaultBook {
    /// Limit of pairs of viewer and break: an origin may run for weeks.
    private static let limit = 1_000_000

    private let names: [String]
    private var viewers: [[Int: Set<UInt64>]]
    private var notHeld: [Int]
    private var held = 0

    init(_ names: [String]) {
        self.names = names
        viewers = Array(repeating: [:], count: names.count)
        notHeld = Array(repeating: 0, count: names.count)
    }

    mutating func touched(_ fault: Int, viewer: UInt64, breakNumber: Int) {
        guard held < Self.limit else {
            notHeld[fault] += 1
            return
        }
        if viewers[fault][breakNumber, default: []].insert(viewer).inserted { held += 1 }
    }

    /// Merges faults of one name.
    var truth: [String: GroundTruth.FaultTruth] {
        var all: [String: Set<UInt64>] = [:]
        var byBreak: [String: [Int: Set<UInt64>]] = [:]
        var truth: [String: GroundTruth.FaultTruth] = [:]
        for (place, name) in names.enumerated() {
            for (number, touched) in viewers[place] {
                all[name, default: []].formUnion(touched)
                byBreak[name, default: [:]][number, default: []].formUnion(touched)
            }
            truth[name, default: GroundTruth.FaultTruth()].notHeld += notHeld[place]
        }
        for (name, breaks) in byBreak {
            truth[name]?.viewers = all[name]?.count ?? 0
            for (number, touched) in breaks { truth[name]?.breaks[String(number)] = touched.count }
        }
        return truth
    }
}
