import Viewer

extension ViewerMachine.Phase {
    /// How the live view names it.
    var words: String {
        switch self {
        case .waiting: "waiting"
        case .joining: "joining"
        case .watching: "watching"
        case .inBreak: "in a break"
        case .leaving: "leaving"
        case .gone: "gone"
        }
    }
}
