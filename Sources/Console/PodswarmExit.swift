package import ArgumentParser
import Glibc

/// What podswarm's exit status says; scripts may rely on each.
package enum PodswarmExit: Int32, CaseIterable {
    /// Everything asked for held.
    case passed = 0
    /// The target failed: a threshold, a finding of severity "broken", a regression.
    case targetFailed = 1
    /// Bad arguments or a bad profile; nothing was sent.
    case badInput = 2
    /// Nothing can be decided: the generator or its machine was the limit, or runs cannot be compared.
    case notDecidable = 3
    /// The target could not be reached at the start.
    case unreachable = 4
    /// A defect of podswarm itself.
    case ownDefect = 70
    /// A result or an export could not be written: no room, a limit on file sizes, a folder that refuses (EX_IOERR of
    /// sysexits(3)).
    case notWritten = 74
    /// Interrupted; the result up to then is written all the same.
    case interrupted = 130

    /// As argument-parser takes it.
    package var code: ExitCode { ExitCode(rawValue) }

    /// Ends the process with what was printed, and without the libraries' exit handlers.
    ///
    /// A loop's queue may still be letting go of its connections. OpenSSL's handler takes from under it what it frees
    /// then, and a run that passed ends with SIGSEGV.
    package static func leave(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// The table that `--help` shows.
    package static let discussion = """
        Exit status: 0 passed; 1 the target failed (threshold, finding); 2 bad arguments or profile; \
        3 not decidable (the generator or its machine was the limit); 4 the target could not be reached at the start; \
        70 a defect of podswarm; 74 the result or an --output could not be written (a full disk); 130 interrupted \
        (the result is written all the same, unless nothing had been sent).
        """
}
