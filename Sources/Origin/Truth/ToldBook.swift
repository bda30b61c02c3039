import AdServing
import HTTPTypes
import Profile
import Synchronization
import Values

/// Configured headers and parameters by numbered viewer; safe for any thread.
final class ToldBook: Sendable {
    private static let mostValues = 64
    /// Bytes; longer values are not counted separately.
    private static let longestValue = 256
    private static let mostViewers = 1_000_000

    private struct Field {
        var count = ToldCount()
        /// Hash of each viewer's first value.
        var last: [UInt64: UInt64] = [:]

        mutating func take(_ value: String?, of viewer: UInt64, shows: Bool) {
            guard let value else {
                count.requestsWithout += 1
                return
            }
            count.requests += 1
            if !keep(value, of: viewer, shows: shows) { count.changed += 1 }
        }

        func isChanged(_ value: String, of viewer: UInt64) -> Bool {
            last[viewer].map { $0 != ToldCount.hash(value, of: viewer) } ?? false
        }

        /// False for another value than the first.
        mutating func keep(_ value: String, of viewer: UInt64, shows: Bool) -> Bool {
            if last[viewer] != nil { return !isChanged(value, of: viewer) }
            guard last.count < ToldBook.mostViewers else {
                count.notHeld += 1
                return true
            }
            last[viewer] = ToldCount.hash(value, of: viewer)
            let isListed = shows && value.utf8.count <= ToldBook.longestValue
            if isListed, count.values[value] != nil || count.values.count < ToldBook.mostValues {
                count.values[value, default: 0] += 1
            } else {
                count.viewersOfOtherValues += 1
            }
            return true
        }

        var told: ToldCount {
            var count = count
            count.numbers = ToldCount.numbers(last.keys.sorted())
            count.digest = ToldCount.digest(of: last.values)
            return count
        }
    }

    private struct State {
        var fields: [Field]
        var cookies = CookieCount()
    }

    private let counted: [CountedField]
    private let headers: [(index: Int, name: HTTPField.Name)]
    private let updates: [String: Int]
    private let cookies: OwnCookie?
    private let state: Mutex<State>

    init(_ configuration: OriginConfiguration) {
        counted = configuration.countedFields
        headers = counted.enumerated().compactMap { index, field in
            field.place == .header ? HTTPField.Name(field.name).map { (index, $0) } : nil
        }
        let updated = counted.enumerated().filter { $1.place == .update }.map { ($1.name, $0) }
        updates = Dictionary(updated) { first, _ in first }
        cookies = configuration.setsCookies ? OwnCookie(seed: configuration.seed) : nil
        state = Mutex(State(fields: Array(repeating: Field(), count: counted.count)))
    }

    /// Returns the viewer's cookie if it is missing.
    func came(_ fields: HTTPFields, from viewer: UInt64) -> String? {
        guard !headers.isEmpty || cookies != nil else { return nil }
        return state.withLock { state in
            for (index, name) in headers {
                state.fields[index].take(fields[name], of: viewer, shows: counted[index].showsValues)
            }
            guard let cookies else { return nil }
            let isOwn = cookies.isOwn(in: fields, of: viewer)
            if isOwn == true {
                state.cookies.returned += 1
                return nil
            }
            if isOwn == false { state.cookies.foreign += 1 }
            state.cookies.set += 1
            return cookies.field(of: viewer)
        }
    }

    func came(_ place: CountedField.Place, from viewer: UInt64, _ value: (String) -> String?) {
        guard counted.contains(where: { $0.place == place }) else { return }
        state.withLock { state in
            for (index, field) in counted.enumerated() where field.place == place {
                let value = value(field.name)
                if place == .registration, let value, let update = updates[field.name],
                    state.fields[index].isChanged(value, of: viewer),
                    // The update may arrive late, or not at all.
                    state.fields[update].keep(value, of: viewer, shows: counted[update].showsValues)
                {
                    state.fields[index].count.requests += 1
                } else {
                    state.fields[index].take(value, of: viewer, shows: field.showsValues)
                }
            }
        }
    }

    func write(to truth: inout GroundTruth) {
        // Sorted outside of the lock, for which requests wait.
        let (fields, cookies) = state.withLock { ($0.fields, $0.cookies) }
        if self.cookies != nil { truth.cookies = cookies }
        guard !counted.isEmpty else { return }
        truth.told = Dictionary(zip(counted, fields).map { ($0.title, $1.told) }) { first, _ in first }
    }
}

/// Follows from the number, so it is not stored.
private struct OwnCookie {
    private static let name = "podswarm-viewer"
    let seed: UInt64

    private func value(of viewer: UInt64) -> String {
        SeededHash(seed: seed, Self.name, viewer).value.hexadecimal(digits: 16)
    }

    /// Nil without a cookie of the origin (RFC 6265 section 4.2).
    func isOwn(in fields: HTTPFields, of viewer: UInt64) -> Bool? {
        let mark = Self.name + "="
        var found: [Substring] = []
        // HTTP/2 may split them into fields (RFC 9113 section 8.2.3).
        for field in fields[values: .cookie] {
            found += field.split(separator: "; ").filter { $0.hasPrefix(mark) }.map { $0.dropFirst(mark.count) }
        }
        return found.isEmpty ? nil : found == [value(of: viewer)[...]]
    }

    func field(of viewer: UInt64) -> String { "\(Self.name)=\(value(of: viewer)); Path=/; HttpOnly" }
}
