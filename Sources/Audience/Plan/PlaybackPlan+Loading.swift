import LoadProfile

extension PlaybackPlan {
    /// Whether segments of the channel are loaded.
    package var loadsContent: Bool {
        switch segments {
        case .content, .all: true
        case .none, .ads: false
        }
    }

    package var loadsAdSegments: Bool {
        switch segments {
        case .ads, .all: true
        case .none, .content: false
        }
    }
}
