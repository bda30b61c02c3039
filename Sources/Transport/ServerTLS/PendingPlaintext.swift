import NIOCore

/// Plaintext that was written and is not yet encrypted, in order.
struct PendingPlaintext {
    private struct Write {
        var bytes: ByteBuffer
        let promise: EventLoopPromise<Void>?
    }

    private var writes = MarkedCircularBuffer<Write>(initialCapacity: 4)

    var isFlushed: Bool { writes.hasMark }

    mutating func append(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>?) {
        writes.append(Write(bytes: bytes, promise: promise))
    }

    mutating func flush() { writes.mark() }

    /// Takes one record of at most `length` bytes from the flushed plaintext: joined small writes, or a part of a large one.
    ///
    /// Appends to `promises` those of writes whose last byte is in the record.
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
