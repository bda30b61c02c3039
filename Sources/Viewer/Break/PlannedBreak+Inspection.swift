import AdServing
import Profile
import Rules
import Values

extension PlannedBreak {
    /// Notes a pod that is empty, or that differs from the requested length by more than the tolerances.
    func inspect(_ content: AdTimeline, turn: inout Turn) {
        guard content.segmentCount > 0 else {
            let empty = "a pod without segments"
            turn.note(.finding(.emptyPod, expected: "at least one segment", observed: empty), of: self)
            return
        }
        let wanted = scheduled.duration.nanosecondsHeld / 1000
        let off = content.durationMicroseconds &- wanted
        let (whole, each) = (turn.plan.pods.durationTolerance, turn.plan.pods.adTolerance)
        // An ad is a whole number of frames, so its length is off by up to one.
        let frames = each.nanosecondsHeld.multipliedClamped(by: Int64(content.ads.count))
        let tolerance = whole.nanosecondsHeld.addingClamped(frames) / 1000
        guard off.magnitude > UInt64(max(tolerance, 0)) else { return }
        let finding = ViewerNote.finding(
            off < 0 ? .podUnderfilled : .podOverfilled,
            expected: "\(wanted / 1000) ms",
            observed: "\(content.durationMicroseconds / 1000) ms"
        )
        turn.note(finding, of: self)
    }
}
