import Viewer

extension ViewerMachine.Phase {
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
