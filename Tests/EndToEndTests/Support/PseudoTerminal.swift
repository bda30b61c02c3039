import Glibc

/// A terminal without a screen: what a program has as its standard input, and somebody who types there.
final class PseudoTerminal: Sendable {
    struct Unavailable: Error, CustomStringConvertible {
        let number: Int32
        var description: String { "no pseudo-terminal: \(String(cString: strerror(number)))" }
    }

    private let typist: Int32
    /// The descriptor for the program.
    let programSide: Int32

    init() throws {
        var (typist, programSide) = (Int32(-1), Int32(-1))
        guard openpty(&typist, &programSide, nil, nil, nil) == 0 else { throw Unavailable(number: errno) }
        (self.typist, self.programSide) = (typist, programSide)
    }

    deinit {
        close(typist)
        close(programSide)
    }

    /// Types a text; a line goes to the program with its line feed.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(typist, bytes, bytes.count) == bytes.count else { throw Unavailable(number: errno) }
    }

    /// Ends the input, as control and D do at the beginning of a line.
    func end() throws { try type("\u{4}") }
}
