package enum ChannelClockText {
    /// Such as "30.0 s ahead of this machine's clock".
    package static func offset(_ microseconds: Int64) -> String {
        let time = TimeText.duration(Int64(clamping: microseconds.magnitude))
        return "\(time) \(microseconds < 0 ? "behind" : "ahead of") this machine's clock"
    }

    package static func sentence(_ microseconds: Int64) -> String {
        "The channel's dates are \(offset(microseconds)): clock or publishing delay, which playlists do not tell apart."
    }
}
