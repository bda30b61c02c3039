package import Foundation

/// The checkout that the tests were built from.
package enum PackageFolder {
    package static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file or folder of it, by its path from the top.
    package static func file(_ path: String) -> URL { url.appending(path: path) }

    /// The text of a file, by its path from the top.
    package static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: file(path)), as: UTF8.self)
    }
}
