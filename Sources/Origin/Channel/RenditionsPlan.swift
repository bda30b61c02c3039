/// The channel plan's `renditions` section: media that is not inside the variants.
struct RenditionsPlan: Sendable, Equatable {
    /// Languages of audio renditions; with any, the variants have no sound of their own.
    var audio: [String] = []
    /// Languages of subtitles, as WebVTT.
    var subtitles: [String] = []

    static func read(_ node: PlanNode) -> RenditionsPlan {
        node.refuseUnknownKeys(allowed: ["audio", "subtitles"])
        return RenditionsPlan(audio: languages(node, "audio"), subtitles: languages(node, "subtitles"))
    }

    private static func languages(_ node: PlanNode, _ key: String) -> [String] {
        guard let list = node[key] else { return [] }
        let words = list.words
        let isTag = words.allSatisfy { word in
            (2...8).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isUnreserved }
        }
        guard isTag, words.count <= 8, Set(words).count == words.count else {
            list.note("\(key) must be a list of at most 8 different languages such as [en, es]")
            return []
        }
        return words
    }
}
