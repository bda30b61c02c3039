import Foundation

/// The shipped plan of every fault, cut into parts that are short enough to be rehearsed beside each other.
struct FaultyPlan {
    /// One line of the plan.
    struct Fault {
        let name: String
        /// Empty for a fault that is there all the time.
        let breaks: [Int]
        fileprivate let line: String

        /// The line with other break numbers.
        fileprivate func moved(by shift: Int) -> String {
            guard !breaks.isEmpty else { return line }
            let numbers = breaks.map { String($0 + shift) }.joined(separator: ", ")
            return line.replacing(/breaks: \[[^\]]*\]/, with: "breaks: [\(numbers)]")
        }
    }

    /// Breaks of a part.
    static let breaksOfPart = 2
    /// Nothing is planned for the break before: not everybody may be there yet.
    static let firstBreak = 2

    let faults: [Fault]
    /// What stands before the faults.
    private let head: [String]

    init() throws {
        let file = ExternalTool.packageRoot.appending(path: "Profiles/faults/faulty.yaml")
        var faults: [Fault] = []
        var head: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        where !line.hasPrefix("#") {
            guard let name = line.firstMatch(of: /^- \{fault: ([a-z_]+)/) else {
                head.append(line)
                continue
            }
            let breaks = line.firstMatch(of: /breaks: \[([0-9, ]+)\]/)?.1.split(separator: ",").compactMap {
                Int($0.filter(\.isNumber))
            }
            faults.append(Fault(name: String(name.1), breaks: breaks ?? [], line: line))
        }
        self.faults = faults
        self.head = head
    }

    /// How many parts there are.
    var parts: Int {
        let last = faults.flatMap(\.breaks).max() ?? Self.firstBreak
        return (last - Self.firstBreak) / Self.breaksOfPart + 1
    }

    /// The faults of a part; those that are there all the time belong to the first.
    func faults(ofPart part: Int) -> [Fault] {
        faults.filter { fault in
            guard let first = fault.breaks.min() else { return part == 0 }
            return (first - Self.firstBreak) / Self.breaksOfPart == part
        }
    }

    /// A plan of the faults of a part alone, in its own breaks.
    func text(ofPart part: Int) -> String {
        let moved = faults(ofPart: part).map { $0.moved(by: -part * Self.breaksOfPart) }
        return (head + moved).joined(separator: "\n") + "\n"
    }
}

/// What the embedded origin of a run says of its faults.
struct FaultTruth {
    struct Affected: Decodable {
        let viewers: Int
        /// Viewers by the number of the break, as the plan numbers them.
        let breaks: [String: Int]
    }

    let affected: [String: Affected]
    let startedMicroseconds: Int64

    init(file: URL) throws {
        let counts = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        let affected = try JSONSerialization.data(withJSONObject: counts["affected"] ?? [:])
        self.affected = try JSONDecoder().decode([String: Affected].self, from: affected)
        startedMicroseconds = (counts["started_microseconds"] as? NSNumber)?.int64Value ?? 0
    }

    /// The number that a plan gives to a break.
    func number(ofBreakAt startMicroseconds: Int64, every interval: Int64) -> Int64 {
        let first = (startedMicroseconds + interval - 1) / interval
        return startMicroseconds / interval - first + 1
    }
}
