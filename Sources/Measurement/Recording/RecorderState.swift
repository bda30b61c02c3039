/// What a finished request changes, in one value: one access to it per request is all the recorder pays for.
struct RecorderState {
    var requests = RequestCounters<UInt32>()
    var breaks: [BreakRecord] = []
    var interval = IntervalCounts()

    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample) {
        let response = requests.record(sample)
        let isError = sample.outcome.isError
        interval.requests &+= 1
        if isError { interval.errors &+= 1 }
        if sample.sentAt != 0 {
            let lateness = sample.latenessMicroseconds
            if lateness > interval.latenessMaximumMicroseconds { interval.latenessMaximumMicroseconds = lateness }
        }
        guard sample.breakSlot >= 0, Int(sample.breakSlot) < breaks.count else { return }
        breaks[Int(sample.breakSlot)].countRequest(isError: isError, responseMicroseconds: response)
        if sample.kind == .podManifest, sample.sentAt != 0 {
            breaks[Int(sample.breakSlot)].countSend(latenessMicroseconds: sample.latenessMicroseconds)
        }
    }
}
