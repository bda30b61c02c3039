import ArgumentParser

/// What podswarm's exit status says; scripts may rely on each.
enum PodswarmExit: Int32, CaseIterable {
    /// Everything asked for held.
    case passed = 0
    /// The target failed: a threshold, a finding of severity "broken", a regression.
    case targetFailed = 1
    /// Bad arguments or a bad profile; nothing was sent.
    case badInput = 2
    /// Nothing can be decided: the generator was the limit, or runs cannot be compared.
    case notDecidable = 3
    /// The target could not be reached at the start.
    case unreachable = 4
    /// A defect of podswarm itself.
    case ownDefect = 70
    /// Interrupted; the result up to then is written all the same.
    case interrupted = 130

    var code: ExitCode { ExitCode(self.rawValue) }

    /// The table that `--help` shows.
    static let discussion = """
        Exit status: 0 passed; 1 the target failed (threshold, finding); 2 bad arguments or profile; \
        3 not decidable (the generator was the limit); 4 the target could not be reached at the start; \
        70 a defect of podswarm; 130 interrupted (the result is written all the same).
        """
}
