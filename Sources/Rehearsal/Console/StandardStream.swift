package import Foundation
package import Report
import Values

/// Standard output and error, written without a trap on a closed pipe.
///
/// `FileHandle.write(_:)` traps there; a run whose `2>&1 | head` has ended must still write its result.
package enum StandardStream: Int32 {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Columns of the terminal; 100 without one.
    package var width: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// Whether it is a terminal, and NO_COLOR has no value or an empty one (https://no-color.org).
    package var showsColour: Bool { isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true }

    package var rendering: TextRendering { TextRendering(width: width, colour: showsColour) }

    /// Writes all bytes; stops silently at an error such as a closed pipe.
    package func write(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else {
                guard count < 0, errno == EINTR else { return }
                continue
            }
            written += count
        }
    }

    package func write(_ text: String) {
        write(text.utf8)
    }

    /// Writes a JSON document; characters that would steer a terminal are escaped (they occur only in JSON strings).
    package func write(json: Data) {
        let text = String(decoding: json, as: UTF8.self)
        // Line ends are JSON's own: those in strings are already escaped.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard TerminalText.printable(String(line)) != line else { return String(line) }
            return line.unicodeScalars.reduce(into: "") { escaped, scalar in
                guard TerminalText.printable(String(scalar)) != String(scalar) else {
                    return escaped.unicodeScalars.append(scalar)
                }
                escaped += "\\u" + scalar.value.hexadecimal(digits: 4)
            }
        }
        write(lines.joined(separator: "\n"))
    }
}
