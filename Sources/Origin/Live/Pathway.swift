/// A name under which the whole channel is served a second time (bis-22 section 7.1).
enum Pathway {
    private static let root = "/pathways/"

    /// Start of a pathway's paths.
    static func prefix(_ name: String) -> String { root + name }

    static func split(_ path: String) -> (name: String, rest: String)? {
        guard let after = path.rest(after: root), let slash = after.firstIndex(of: "/") else { return nil }
        return (String(after[..<slash]), String(after[slash...]))
    }
}
