import AdServing
import Rules
import Values

extension Screen {
    /// Enters picture in picture, or leaves it and starts the pod that was kept meanwhile.
    mutating func changePictureInPicture(_ breaks: inout BreakAgenda, _ playback: inout PlaybackPart, turn: inout Turn)
    {
        guard pictureInPicture.change(turn: &turn), let own = breaks.own,
            case .deferred(let content, let deferral) = breaks[own].phase
        else { return }
        guard currentSerial == 0 else {
            endOwn(.leftOut(.duringAds), at: turn.now, &breaks, playback, turn: &turn)
            return
        }
        breaks[own].pass(.pictureInPictureDeferred, turn: &turn)
        let leftAt = breaks[own].planned.scheduled.start
        let arrival = Arrival(dueAt: deferral.dueAt, leftAt: leftAt, carried: .zero)
        currentSerial = breaks[own].serial
        if let inHandAt = deferral.inHandAt {
            play(own, content, arrival, inHandAt: inHandAt, &breaks, &playback, turn: &turn)
        } else {
            breaks[own].wait(arrival)
        }
    }

    mutating func withhold(
        _ index: Int,
        _ withheld: PictureInPicture.Withholding,
        _ breaks: inout BreakAgenda,
        _ playback: PlaybackPart,
        turn: inout Turn
    ) {
        switch withheld {
        case .lost: endOwn(.leftOut(.pictureInPictureLost), at: turn.now, &breaks, playback, turn: &turn)
        case .kept(let deferral):
            breaks[index].waitForReturn(deferral)
            if currentSerial == breaks[index].serial { currentSerial = 0 }
        }
    }
}
