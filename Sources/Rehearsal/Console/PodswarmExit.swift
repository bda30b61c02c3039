package import ArgumentParser
import Glibc

/// Exit status of podswarm; scripts may rely on each value.
package enum PodswarmExit: Int32, CaseIterable {
    /// The run passed, or the command did what it was asked.
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
    /// A result or an export could not be written: no room, a limit on file sizes, no permission (EX_IOERR of sysexits(3)).
    case notWritten = 74
    /// Interrupted; the result up to then is written all the same.
    case interrupted = 130

    package var code: ExitCode { ExitCode(rawValue) }

    /// Flushes output and ends the process without the libraries' exit handlers.
    ///
    /// An event loop may still be closing connections. OpenSSL's exit handler frees memory that they use, and a run that passed
    /// then ends with SIGSEGV.
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
