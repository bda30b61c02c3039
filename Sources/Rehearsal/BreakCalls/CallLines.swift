import Glibc

/// Discards lines too long for a call.
struct LineCutter {
    enum Line: Equatable {
        case whole([UInt8])
        case overlong
    }

    private var begun: [UInt8] = []
    private var isOverlong = false

    /// Lines ended by this piece, without their ends.
    mutating func take(_ piece: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else if begun.count == BreakCall.longestText {
                isOverlong = true
            } else {
                begun.append(byte)
            }
        }
        return lines
    }

    /// The last line if it has no end.
    mutating func end() -> Line? { begun.isEmpty && !isOverlong ? nil : cut() }

    private mutating func cut() -> Line {
        defer { (begun, isOverlong) = ([], false) }
        return isOverlong ? .overlong : .whole(begun)
    }
}

/// Standard input, a named pipe, or a file that is appended to.
struct LinePlace {
    let name: String
    private let descriptor: Int32
    /// Standard input is shared and blocks: it is read only when bytes are available.
    private let isStandardInput: Bool
    /// Offset of the next read; nil for a pipe.
    private var position: off_t?
    private var cutter = LineCutter()
    private(set) var isOver = false

    private static let pieceBytes = 16_384

    static var standardInput: LinePlace {
        LinePlace(name: "standard input", descriptor: STDIN_FILENO, isStandardInput: true, position: nil)
    }

    private init(name: String, descriptor: Int32, isStandardInput: Bool, position: off_t?) {
        (self.name, self.descriptor, self.isStandardInput) = (name, descriptor, isStandardInput)
        self.position = position
    }

    /// Opens a file at its end, or a named pipe even without a writer.
    init(file path: String) throws(CannotTakeCalls) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CannotTakeCalls(path, errno) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            let error = errno
            Glibc.close(descriptor)
            throw CannotTakeCalls(path, error)
        }
        let kind = facts.st_mode & S_IFMT
        let isPlainFile = kind == S_IFREG
        guard isPlainFile || kind == S_IFIFO else {
            Glibc.close(descriptor)
            throw CannotTakeCalls("\(path): is neither a file nor a named pipe")
        }
        self.init(
            name: path,
            descriptor: descriptor,
            isStandardInput: false,
            position: isPlainFile ? facts.st_size : nil
        )
    }

    /// Never blocks.
    mutating func next() -> [LineCutter.Line] {
        guard !isOver, isReadable else { return [] }
        let bytes = read()
        guard let bytes else { return [] }
        guard bytes.isEmpty else { return cutter.take(bytes) }
        // An appended file continues; a pipe's writer has closed it, and another may follow.
        guard position == nil else { return [] }
        isOver = isStandardInput
        return cutter.end().map { [$0] } ?? []
    }

    private var isReadable: Bool {
        guard isStandardInput else { return true }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 0) > 0
    }

    /// Empty at the end; nil without available bytes.
    private mutating func read() -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
            let read: Int
            if let position {
                var facts = stat()
                // The writer truncated the file.
                let start = fstat(descriptor, &facts) == 0 && facts.st_size < position ? 0 : position
                read = pread(descriptor, buffer.baseAddress, buffer.count, start)
                self.position = start + off_t(max(read, 0))
            } else {
                read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            failed = read < 0
            count = max(read, 0)
        }
        guard failed else { return bytes }
        // A closed standard input never gets new bytes; the others may.
        if isStandardInput, errno != EINTR, errno != EAGAIN { isOver = true }
        return nil
    }

    func close() { if !isStandardInput { Glibc.close(descriptor) } }
}

package struct CannotTakeCalls: Error, CustomStringConvertible {
    package let description: String

    init(_ place: String, _ number: Int32) { description = "\(place): \(String(cString: strerror(number)))" }

    init(_ description: String) { self.description = description }
}
