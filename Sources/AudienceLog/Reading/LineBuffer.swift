import Glibc

/// Bytes of a file that were read and not yet looked at, in one piece of memory that lines lie in.
final class LineBuffer {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var end = 0
    /// So many bytes from the start on hold no line feed.
    private var searched = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    var count: Int { end - start }

    /// All of it; holds until bytes are added.
    var bytes: LineBytes { LineBytes(start: memory + start, count: count) }

    /// Takes the next line, without its line feed; nil where its end is not there.
    ///
    /// It holds until bytes are added.
    func nextLine() -> LineBytes? {
        guard let feed = bytes.place(of: UInt8(ascii: "\n"), from: searched) else {
            searched = count
            return nil
        }
        let line = LineBytes(start: memory + start, count: feed)
        start += feed + 1
        searched = 0
        return line
    }

    func removeAll() {
        start = 0
        end = 0
        searched = 0
    }

    /// Takes everything up to the first line feed away; false where there is none, and then nothing is left.
    func skipLine() -> Bool {
        guard nextLine() == nil else { return true }
        removeAll()
        return false
    }

    func append(_ bytes: LineBytes) {
        guard let base = bytes.baseAddress else { return }
        space(bytes.count).copyMemory(from: base, byteCount: bytes.count)
        end += bytes.count
    }

    /// Has bytes written behind what is there, at most so many.
    ///
    /// - Parameters:
    ///   - most: How many there is room for.
    ///   - write: Writes them and says how many they are; less than one for none.
    /// - Returns: What it says.
    func append(atMost most: Int, _ write: (UnsafeMutableRawPointer, Int) -> Int) -> Int {
        let written = write(space(most), most)
        end += max(0, min(written, most))
        return written
    }

    /// Makes room for so many bytes behind what is there.
    private func space(_ bytes: Int) -> UnsafeMutableRawPointer {
        guard end + bytes > capacity else { return memory + end }
        let kept = count
        if kept + bytes > capacity {
            let grown = max(capacity * 2, kept + bytes)
            let wider = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
            wider.copyMemory(from: memory + start, byteCount: kept)
            memory.deallocate()
            memory = wider
            capacity = grown
        } else {
            memmove(memory, memory + start, kept)
        }
        start = 0
        end = kept
        return memory + end
    }
}
