import AdServing
import HTTPTypes
import Synchronization

/// Counts what numbered viewers say of themselves in the headers and parameters that it is to look at.
///
/// Safe to use from any thread.
final class ToldBook: Sendable {
    /// Values that are counted by themselves; those of viewers beyond are counted together.
    private static let mostValues = 64
    /// A value that is longer is counted with the others.
    private static let longestValue = 256
    private static let mostViewers = 1_000_000

    private struct Field {
        var count = ToldCount()
        var digest = ToldDigest()
        /// By viewer, so that another value is seen.
        var last: [UInt64: UInt64] = [:]

        mutating func take(_ value: String?, of viewer: UInt64, shows: Bool) {
            guard let value else {
                count.requestsWithout += 1
                return
            }
            count.requests += 1
            if !keep(value, of: viewer, shows: shows) { count.changed += 1 }
        }

        /// Whether a viewer said something else before.
        func isChanged(_ value: String, of viewer: UInt64) -> Bool {
            last[viewer].map { $0 != ToldDigest.own(value, of: viewer) } ?? false
        }

        /// Keeps what a viewer says for the first time.
        ///
        /// - Returns: False where it said something else before.
        mutating func keep(_ value: String, of viewer: UInt64, shows: Bool) -> Bool {
            if last[viewer] != nil { return !isChanged(value, of: viewer) }
            guard last.count < ToldBook.mostViewers else {
                count.notHeld += 1
                return true
            }
            last[viewer] = digest.add(value, of: viewer)
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
            count.digest = digest.text
            return count
        }
    }

    private struct State {
        var fields: [Field]
        var cookies = CookieCount()
    }

    private let counted: [CountedField]
    /// Places in `counted` and what stands there.
    private let headers: [(index: Int, name: HTTPField.Name)]
    /// Where in `counted` updates stand, by name.
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

    /// A request of a numbered viewer came.
    ///
    /// - Returns: The cookie that its answer is to set, where it came without its own.
    func came(_ fields: HTTPFields, from viewer: UInt64) -> String? {
        guard !headers.isEmpty || cookies != nil else { return nil }
        return state.withLock { state in
            for (index, name) in headers {
                state.fields[index].take(fields[name], of: viewer, shows: counted[index].showsValues)
            }
            guard let cookies else { return nil }
            switch cookies.sight(in: fields, of: viewer) {
            case .own:
                state.cookies.returned += 1
                return nil
            case .none: break
            case .foreign: state.cookies.foreign += 1
            }
            state.cookies.set += 1
            return cookies.field(of: viewer)
        }
    }

    /// A registration, an update or a pod request of a numbered viewer came.
    ///
    /// - Parameters:
    ///   - place: Which of them.
    ///   - viewer: Its number.
    ///   - value: What it says under a name.
    func came(_ place: CountedField.Place, from viewer: UInt64, _ value: (String) -> String?) {
        guard counted.contains(where: { $0.place == place }) else { return }
        state.withLock { state in
            for (index, field) in counted.enumerated() where field.place == place {
                let value = value(field.name)
                if place == .registration, let value, let update = updates[field.name],
                    state.fields[index].isChanged(value, of: viewer),
                    // The update itself may come later than what was sent after it, or not at all.
                    state.fields[update].keep(value, of: viewer, shows: counted[update].showsValues)
                {
                    state.fields[index].count.requests += 1
                } else {
                    state.fields[index].take(value, of: viewer, shows: field.showsValues)
                }
            }
        }
    }

    /// Writes what was counted, where anything is.
    func write(to truth: inout GroundTruth) {
        // Sorted and written outside the lock, for which requests wait.
        let (fields, cookies) = state.withLock { ($0.fields, $0.cookies) }
        if self.cookies != nil { truth.cookies = cookies }
        guard !counted.isEmpty else { return }
        truth.told = Dictionary(zip(counted, fields).map { ($0.title, $1.told) }) { first, _ in first }
    }
}

/// A cookie of each viewer's own, which needs no memory to be known again.
private struct OwnCookie {
    enum Sight {
        case own
        case foreign
        case none
    }

    private static let name = "podswarm-viewer"
    let seed: UInt64

    private func value(of viewer: UInt64) -> String {
        var hash = SeededHash(seed: seed)
        hash.combine(Self.name)
        hash.combine(viewer)
        return hash.value.sixteenDigits
    }

    /// What of it a request brings back (RFC 6265 section 4.2).
    func sight(in fields: HTTPFields, of viewer: UInt64) -> Sight {
        let mark = Self.name + "="
        var found: [Substring] = []
        // Over HTTP/2 each may stand in a field of its own (RFC 9113 section 8.2.3).
        for field in fields[values: .cookie] {
            found += field.split(separator: "; ").filter { $0.hasPrefix(mark) }.map { $0.dropFirst(mark.count) }
        }
        guard !found.isEmpty else { return .none }
        return found.count == 1 && found[0] == value(of: viewer) ? .own : .foreign
    }

    func field(of viewer: UInt64) -> String { "\(Self.name)=\(value(of: viewer)); Path=/; HttpOnly" }
}
