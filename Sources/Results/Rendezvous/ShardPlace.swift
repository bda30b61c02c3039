/// Index of a process among the shards of a run.
package struct ShardPlace: Equatable, Sendable {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// From 0.
    package let index: Int
    package let count: Int

    static func isCount(_ number: Int) -> Bool { (1...10_000).contains(number) }

    /// Variables for index and count: Slurm's `srun`, Kubernetes' Indexed Job (whose manifest must set the count, because
    /// containers are not told it), PMI and Open MPI.
    private static let schedulers = [
        ("SLURM_PROCID", "SLURM_NTASKS"), ("JOB_COMPLETION_INDEX", "PODSWARM_SHARDS"), ("PMI_RANK", "PMI_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ]

    /// Takes missing parts from the scheduler: `0/4`, `/4` or `0/`; nil takes both.
    package init(_ text: String?, environment: [String: String]) throws(Mistake) {
        let malformed = "--shard \(text ?? ""): it is i/n with i from 0 and below n, such as 0/4"
        let parts = (text ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Mistake(description: malformed) }
        let scheduler = Self.schedulers.first { environment[$0.0] != nil }
        let index = parts[0].isEmpty ? scheduler.flatMap { environment[$0.0] } : parts[0]
        let count = parts[1].isEmpty ? scheduler.flatMap { environment[$0.1] } : parts[1]
        guard let index, let count else {
            throw Mistake(description: index == nil ? Self.noIndex : Self.noCount(of: parts[0], scheduler))
        }
        guard let number = Int(index), let total = Int(count), Self.isCount(total),
            (0..<total).contains(number)
        else {
            guard let scheduler, parts.contains("") else { throw Mistake(description: malformed) }
            let names = zip([scheduler.0, scheduler.1], parts).filter { $1.isEmpty }.map(\.0)
            throw Mistake(
                description: "shard \(index) of \(count) is invalid: that is what "
                    + names.map { "\($0)=\(environment[$0] ?? "")" }.joined(separator: " and ")
                    + (text.map { " with --shard \($0) says" } ?? " say")
            )
        }
        (self.index, self.count) = (number, total)
    }

    private static let noIndex = "--rendezvous: no scheduler says which shard this is; name it, such as --shard 0/4"

    private static func noCount(of index: String, _ scheduler: (String, String)?) -> String {
        let variable = scheduler.map { ", or with \($0.1)" } ?? ""
        return "--rendezvous: the number of shards is missing; give it, such as --shard \(index)/4\(variable)"
    }
}
