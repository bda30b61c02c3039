package import HLS
import Rulebook

/// Which rules one body of one URL breaks, whatever came before it.
package enum PlaylistChecks {
    /// The most violations that are told of one body.
    package static let limit = 64

    /// Reads a body in one pass and names what is wrong with it; goes on where `Playlist.parse` gives up.
    ///
    /// Linear in the number of bytes. A body that is no playlist at all has exactly one violation.
    ///
    /// - Parameters:
    ///   - body: The decoded body of a media or multivariant playlist; of a delta update, the merged playlist.
    ///   - url: Where it came from, after redirects, for QUERYPARAM; empty where it is unknown.
    ///   - imported: The variables of the multivariant playlist, for IMPORT; nil where they are unknown.
    /// - Returns: At most 64 violations, by line.
    package static func violations(
        in body: UnsafeRawBufferPointer,
        url: String = "",
        importing imported: [String: String]? = nil
    ) -> [Violation] {
        if let violation = refusal(of: body) { return [violation] }
        guard VariableExpansion.hasReferences(body) else {
            return check(body, VariableSource(url: url, imported: imported), hasReferences: false)
        }
        return violations(replacingReferencesIn: body, VariableSource(url: url, imported: imported))
    }

    /// What `Playlist.parse` holds against a body, as the finding it counts as.
    ///
    /// - Parameter error: What parsing threw.
    /// - Returns: `not_a_playlist` alone where the body is no playlist at all.
    package static func violation(of error: PlaylistError) -> Violation {
        Violation(code(of: error.code), line: error.line, expected: error.detail, observed: error.code.rawValue)
    }

    /// All that is wrong with a body that `Playlist.parse` refused: never empty.
    ///
    /// - Parameters:
    ///   - body: The body that was refused.
    ///   - error: What parsing threw.
    ///   - url: Where it came from, after redirects.
    ///   - imported: The variables of the multivariant playlist; nil where they are unknown.
    /// - Returns: At most 64 violations and the parser's own, where none of the others says as much.
    package static func violations(
        in body: UnsafeRawBufferPointer,
        refusedWith error: PlaylistError,
        url: String = "",
        importing imported: [String: String]? = nil
    ) -> [Violation] {
        let found = violations(in: body, url: url, importing: imported)
        let refusal = violation(of: error)
        return found.contains { $0.code == refusal.code || $0.code.severity > .suspect } ? found : found + [refusal]
    }

    private static func code(of error: PlaylistError.Code) -> FindingCode {
        switch error {
        case .notAPlaylist, .tooLarge: .notAPlaylist
        case .byteOrderMark, .variablesTooLong, .badExtinf, .badTag, .badDate, .badAttributeList, .missingAttribute:
            .tagMalformed
        case .missingTargetDuration, .unexpectedURI: .tagMissing
        case .missingURI, .misplacedTag, .mixedKinds: .tagMisplaced
        case .duplicateTag: .tagRepeated
        case .undefinedVariable, .duplicateVariable: .variableUndefined
        }
    }

    /// What is wrong with a body that does not begin as a playlist does.
    private static func refusal(of body: UnsafeRawBufferPointer) -> Violation? {
        do {
            _ = try PlaylistLines(opening: body)
            return nil
        } catch {
            return Violation(code(of: error.code), line: 1, expected: error.detail, observed: BodyKind.words(for: body))
        }
    }

    private static func violations(
        replacingReferencesIn body: UnsafeRawBufferPointer,
        _ source: VariableSource
    ) -> [Violation] {
        guard source.knowsAll(of: body) else { return check(body, source, hasReferences: true) }
        do {
            let lines = try PlaylistLines(opening: body)
            let text = try VariableExpansion(lines, url: source.url, imported: source.imported ?? [:]).expanded()
            return text.withUnsafeBytes { check($0, source, hasReferences: false, wasReplaced: true) }
        } catch {
            let found = check(body, source, hasReferences: true)
            let own = violation(of: error)
            return found.contains { $0.code == own.code && $0.line == own.line } ? found : [own] + found
        }
    }

    private static func check(
        _ body: UnsafeRawBufferPointer,
        _ source: VariableSource,
        hasReferences: Bool,
        wasReplaced: Bool = false
    ) -> [Violation] {
        var pass = CheckingPass(body, source, hasReferences: hasReferences)
        if hasReferences || wasReplaced { pass.header.needsVariables() }
        return pass.violations()
    }
}

/// Where the values of a playlist's variables come from.
struct VariableSource {
    let url: String
    let imported: [String: String]?

    /// Whether the values of all variables are known, which some playlists define without help.
    func knowsAll(of body: UnsafeRawBufferPointer) -> Bool {
        guard imported == nil || url.isEmpty else { return true }
        var lines = PlaylistLines(rereading: body, 0..<body.count)
        while let line = lines.next() {
            guard case .tag(.define) = line.kind else { continue }
            var list = AttributeList(body, line.valueRange)
            while let attribute = list.next() {
                if imported == nil, list.isNamed(attribute, "IMPORT") { return false }
                if url.isEmpty, list.isNamed(attribute, "QUERYPARAM") { return false }
            }
        }
        return true
    }
}
