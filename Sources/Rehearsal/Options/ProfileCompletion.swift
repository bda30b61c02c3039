import Foundation

/// What a shell offers where a profile is to be named.
enum ProfileCompletion {
    /// The bundled profiles, and the profiles and folders that a path may go on with.
    ///
    /// - Parameter typed: What is there so far.
    /// - Returns: Whole arguments; folders end with a slash.
    static func candidates(for typed: String) -> [String] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let names = folder.isEmpty ? BundledProfiles.ofThisProcess.names : []
        return (names + entries(of: folder)).filter { $0.hasPrefix(typed) }
    }

    private static func entries(of folder: String) -> [String] {
        let url = URL(fileURLWithPath: folder.isEmpty ? "." : folder)
        let found = try? FileManager.default.contentsOfDirectory(
            at: url,
            includingPropertiesForKeys: [.isDirectoryKey],
            options: .skipsHiddenFiles
        )
        return (found ?? []).compactMap { entry in
            let name = folder + entry.lastPathComponent
            if entry.hasDirectoryPath { return name + "/" }
            return ["yaml", "yml"].contains(entry.pathExtension) ? name : nil
        }
        .sorted()
    }
}
