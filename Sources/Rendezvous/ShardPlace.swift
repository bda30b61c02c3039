/// Which shard of how many a process is.
package struct ShardPlace: Equatable, Sendable {
    /// Why a process cannot tell.
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// From 0.
    package let index: Int
    package let count: Int

    /// Whether a run can have so many shards.
    static func isCount(_ number: Int) -> Bool { (1...10_000).contains(number) }

    /// What schedulers call a process's index and how many there are: Slurm's `srun`, Kubernetes' Indexed Job (its count is
    /// told to no container, so the manifest does), PMI and Open MPI.
    private static let schedulers = [
        ("SLURM_PROCID", "SLURM_NTASKS"), ("JOB_COMPLETION_INDEX", "PODSWARM_SHARDS"), ("PMI_RANK", "PMI_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ]

    /// Reads `i/n`, and takes what is left out of it from the scheduler.
    ///
    /// - Parameters:
    ///   - text: Such as `0/4`, `/4` or `0/`; nil leaves both to the scheduler.
    ///   - environment: Of the process.
    /// - Throws: What is missing or wrong, with the fix.
    package init(_ text: String?, environment: [String: String]) throws(Mistake) {
        let malformed = "--shard \(text ?? ""): it is i/n with i from 0 and below n, such as 0/4"
        let parts = (text ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Mistake(description: malformed) }
        let scheduler = Self.schedulers.first { environment[$0.0] != nil }
        let index = parts[0].isEmpty ? scheduler.flatMap { environment[$0.0] } : parts[0]
        let count = parts[1].isEmpty ? scheduler.flatMap { environment[$0.1] } : parts[1]
        guard let index, let count else {
            let what = index == nil ? "which shard this is" : "how many shards there are"
            throw Mistake(description: "--rendezvous: no scheduler says \(what); name it, such as --shard 0/4")
        }
        guard let number = Int(index), let total = Int(count), Self.isCount(total),
            (0..<total).contains(number)
        else {
            let told = "the scheduler's shard \(index) of \(count) is none"
            throw Mistake(description: text == nil ? told : malformed)
        }
        (self.index, self.count) = (number, total)
    }
}
