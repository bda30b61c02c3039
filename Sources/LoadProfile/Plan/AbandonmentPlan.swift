/// What people do whose player shows nothing.
package struct AbandonmentPlan: Sendable, Equatable {
    /// How long they look at a picture that stands still, or does not come, before they close the application.
    package var afterStall: Duration
    /// The same of a player that has given up.
    package var afterStop: Duration
    /// How many of those open it again, from 0 to 1.
    package var reopenShare: Double
    /// The mean time until they do; each waits between half and one and a half times as long.
    package var reopenAfter: Duration

    package init(
        afterStall: Duration = .seconds(20),
        afterStop: Duration = .seconds(5),
        reopenShare: Double = 0,
        reopenAfter: Duration = .seconds(10)
    ) {
        self.afterStall = afterStall
        self.afterStop = afterStop
        self.reopenShare = reopenShare
        self.reopenAfter = reopenAfter
    }
}
