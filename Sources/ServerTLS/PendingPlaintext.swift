import NIOCore

/// What a server wrote and has not been encrypted yet, in order.
struct PendingPlaintext {
    private struct Write {
        var bytes: ByteBuffer
        let promise: EventLoopPromise<Void>?
    }

    private var writes = MarkedCircularBuffer<Write>(initialCapacity: 4)

    /// Whether something waits that was flushed.
    var isFlushed: Bool { writes.hasMark }

    mutating func append(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>?) {
        writes.append(Write(bytes: bytes, promise: promise))
    }

    /// Everything that was appended up to here may be sent.
    mutating func flush() { writes.mark() }

    /// Takes what fits into one record from what was flushed.
    ///
    /// - Parameters:
    ///   - length: The longest record, in bytes.
    ///   - allocator: Makes the buffer in which writes are joined.
    ///   - promises: Gains those of writes whose last byte is in the record.
    /// - Returns: Its plaintext: small writes that follow each other, or a part of a large one.
    mutating func takeRecord(
        of length: Int,
        allocator: ByteBufferAllocator,
        promises: inout [EventLoopPromise<Void>]
    ) -> ByteBuffer {
        var record = takeSlice(of: length, &promises)
        while record.readableBytes < length, writes.hasMark {
            let next = takeSlice(of: length - record.readableBytes, &promises)
            if record.readableBytes == 0 {
                record = next
            } else if next.readableBytes > 0 {
                record = joined(record, next, upTo: length, from: allocator)
            }
        }
        return record
    }

    /// Everything that is left, flushed or not, fails.
    mutating func fail(_ error: any Error) {
        while let write = writes.popFirst() { write.promise?.fail(error) }
    }

    private mutating func takeSlice(of length: Int, _ promises: inout [EventLoopPromise<Void>]) -> ByteBuffer {
        guard var first = writes.first else { return ByteBuffer() }
        if first.bytes.readableBytes > length, let slice = first.bytes.readSlice(length: length) {
            writes[writes.startIndex] = first
            return slice
        }
        _ = writes.popFirst()
        if let promise = first.promise { promises.append(promise) }
        return first.bytes
    }

    private func joined(
        _ record: ByteBuffer,
        _ next: ByteBuffer,
        upTo length: Int,
        from allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var record = record
        if record.writableBytes < next.readableBytes {
            var larger = allocator.buffer(capacity: min(length, 2 * (record.readableBytes + next.readableBytes)))
            larger.writeImmutableBuffer(record)
            record = larger
        }
        record.writeImmutableBuffer(next)
        return record
    }
}
