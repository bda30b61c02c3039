import LoadProfile
import Transport

/// All that a shard is told before its first viewer joins.
struct ShardSetup: Sendable {
    struct Join: Sendable, Equatable {
        var number: Int
        /// Monotonic nanoseconds.
        var at: Int64
    }

    var loadPlan: LoadPlan
    var viewerPlan: ViewerPlan
    var endpoints: TargetEndpoints
    var authorisedHosts: AuthorisedHosts
    var joins: [Join]
    /// Number of the first viewer that replaces one who left; the next is one stride further.
    var firstReplacement: Int
    var replacementStride: Int
    var observer: (any ViewerObserver)?
}
