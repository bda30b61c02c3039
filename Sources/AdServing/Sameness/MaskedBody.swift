package enum MaskedBody {
    package static func fingerprint(_ body: UnsafeRawBufferPointer, own: StreamID) -> UInt64 {
        var hash = RunHash()
        let own = OwnID(own.rawValue)
        var runStart = 0
        var index = 0
        while index < body.count {
            guard own.canBegin(body[index]), let end = own.end(in: body, from: index) else {
                index += 1
                continue
            }
            hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<index]))
            (runStart, index) = (end, end)
        }
        hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<body.count]))
        return hash.value
    }
}
