import Foundation

package enum ClipProfile: String, CaseIterable, Sendable {
    case high = "360p"
    case low = "180p"

    var width: Int { self == .high ? 640 : 320 }
    var height: Int { self == .high ? 360 : 180 }

    static let frameRate = 24
}

struct ClipLibrary: Sendable {
    private let live: [ClipFile]
    private let ad: [ClipFile]

    /// The library with ads as the channel's clips, and vice versa.
    var exchanged: ClipLibrary { ClipLibrary(live: ad, ad: live) }

    func live(_ profile: ClipProfile) -> ClipFile { live[profile == .high ? 0 : 1] }

    func ad(_ profile: ClipProfile) -> ClipFile { ad[profile == .high ? 0 : 1] }

    private static func read(_ name: String) throws -> ClipFile {
        guard let file = Bundle.module.url(forResource: name, withExtension: "mp4", subdirectory: "Media") else {
            throw ClipError(description: "\(name).mp4 is missing from the resources")
        }
        return try ClipFile(parsing: Array(Data(contentsOf: file)))
    }
}

extension ClipLibrary {
    init() throws {
        live = try ClipProfile.allCases.map { try Self.read("live-\($0.rawValue)") }
        ad = try ClipProfile.allCases.map { try Self.read("ad-\($0.rawValue)") }
    }
}
