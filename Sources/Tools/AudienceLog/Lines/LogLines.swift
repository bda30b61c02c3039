import CZlib
import Glibc

/// Decompresses gzip.
final class LogLines {
    static let standardInput = "-"
    private static let longestLine = 1 << 20
    private static let pieceBytes = 1 << 18

    let name: String
    /// Bytes; nil without a size, such as for a pipe.
    let size: Int?
    /// Reopening does not start the input again.
    var isReadOnce: Bool { size == nil || name == Self.standardInputName }
    private(set) var isAtEnd = false
    /// Whether the last line exceeded the limit; it is then empty.
    private(set) var isCut = false
    private static let standardInputName = "standard input"

    private let file: gzFile
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    private var (start, end) = (0, 0)
    /// Bytes from `start` known to have no line feed.
    private var searched = 0

    init(_ path: String) throws(AudienceLogError) {
        name = path == Self.standardInput ? Self.standardInputName : path
        let descriptor = path == Self.standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        let isOpen = descriptor >= 0 && fstat(descriptor, &status) == 0
        let reason = isOpen ? "it is a folder" : String(cString: strerror(errno))
        guard isOpen, status.st_mode & S_IFMT != S_IFDIR, let file = gzdopen(descriptor, "r") else {
            if descriptor >= 0 { close(descriptor) }
            throw .unreadable(name: path, reason: reason)
        }
        self.file = file
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit {
        gzclose_r(file)
        memory.deallocate()
    }

    /// Compressed; decompressed for a pipe.
    var bytesRead: Int { gzoffset(file) >= 0 ? gzoffset(file) : gztell(file) }

    /// False for a truncated compressed file.
    var isWhole: Bool {
        var code: Int32 = 0
        gzerror(file, &code)
        return code != Z_BUF_ERROR
    }

    /// Valid until more bytes are read.
    private var held: LineBytes { LineBytes(rebasing: memory[start..<end]) }

    /// ``next()`` returns these bytes again.
    func beginning(_ count: Int) throws(AudienceLogError) -> LineBytes {
        while end - start < count, !isAtEnd { try fill() }
        return held
    }

    /// Without its end, valid until the next call; nil at the end of the file.
    func next() throws(AudienceLogError) -> LineBytes? {
        isCut = false
        while true {
            let held = self.held
            let feed = held.place(of: UInt8(ascii: "\n"), from: searched)
            if let length = feed ?? (isAtEnd ? held.count : nil) {
                guard feed != nil || isCut || !held.isEmpty else { return nil }
                (start, searched) = (start + min(length + 1, held.count), 0)
                isCut = isCut || length > Self.longestLine
                let line = isCut ? .nothing : held.part(0, length)
                return line.last == 0x0D ? line.part(0, line.count - 1) : line
            }
            searched = held.count
            if held.count > Self.longestLine {
                isCut = true
                (start, searched) = (end, 0)
            }
            try fill()
        }
    }

    private func fill() throws(AudienceLogError) {
        makeRoom(for: Self.pieceBytes)
        let count = Int(gzread(file, memory.baseAddress.map { $0 + end }, UInt32(Self.pieceBytes)))
        guard count >= 0 else {
            var code: Int32 = 0
            gzerror(file, &code)
            let isDamaged = code != Z_ERRNO
            throw .unreadable(
                name: name,
                reason: isDamaged ? "its compressed content is damaged" : String(cString: strerror(errno))
            )
        }
        end += count
        isAtEnd = count < Self.pieceBytes
    }

    private func makeRoom(for bytes: Int) {
        guard end + bytes > memory.count else { return }
        let held = self.held
        let old = memory
        if held.count + bytes > memory.count {
            memory = .allocate(byteCount: max(memory.count * 2, held.count + bytes), alignment: 16)
        }
        if let to = memory.baseAddress, let from = held.baseAddress { memmove(to, from, held.count) }
        if old.baseAddress != memory.baseAddress { old.deallocate() }
        (start, end) = (0, held.count)
    }
}

/// Reason why logs give no audience.
package enum AudienceLogError: Error, Equatable, CustomStringConvertible, Sendable {
    case unreadable(name: String, reason: String)
    case unknownFormat(name: String)
    case nobodyWatches(String)
    /// Requests are further apart than an event may last.
    case tooLong(days: Int)

    package var description: String {
        switch self {
        case .unreadable(let name, let reason): "\(name): \(reason)"
        case .unknownFormat(let name):
            "\(name): its first lines are not of a known log format; --format names one, --field its fields"
        case .nobodyWatches(let reason): reason
        case .tooLong(let days):
            "the requests are \(days) days apart; --from and --to choose the event, of at most "
                + "\(AudienceLogOptions.longestDays) days"
        }
    }
}
