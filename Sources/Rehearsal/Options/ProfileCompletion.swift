import Foundation

enum ProfileCompletion {
    /// The bundled profiles, and profiles and folders that continue a path; folders end with a slash.
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
