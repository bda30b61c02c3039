import AdServing
import HTTPTypes
import Synchronization

/// Counts what numbered viewers say of themselves in the headers and parameters that it is to look at.
///
/// Safe to use from any thread.
final class ToldBook: Sendable {
    /// Values that are counted by themselves; those of viewers beyond are counted together.
    private static let mostValues = 64

    fileprivate struct Field {
        var count = ToldCount()
        var digest = ToldDigest()
        /// By viewer, so that another value is seen.
        var last: [UInt64: UInt64] = [:]

        mutating func take(_ value: String, of viewer: UInt64) {
            count.requests += 1
            if let known = last[viewer] {
                if known != ToldDigest.own(value, of: viewer) { count.changed += 1 }
                return
            }
            last[viewer] = digest.add(value, of: viewer)
            if count.values[value] != nil || count.values.count < ToldBook.mostValues {
                count.values[value, default: 0] += 1
            } else {
                count.viewersOfOtherValues += 1
            }
        }
    }

    private struct State {
        var headers: [Field]
        var parameters: [Field]
        var cookies = CookieCount()
    }

    private let headers: [HTTPField.Name]
    private let parameters: [String]
    private let counted: CountedFields
    private let cookies: OwnCookie?
    private let state: Mutex<State>

    init(_ configuration: OriginConfiguration) {
        counted = configuration.countedFields
        headers = counted.headers.compactMap { HTTPField.Name($0) }
        parameters = counted.parameters
        cookies = configuration.setsCookies ? OwnCookie(seed: configuration.seed) : nil
        state = Mutex(
            State(
                headers: Array(repeating: Field(), count: headers.count),
                parameters: Array(repeating: Field(), count: parameters.count)
            )
        )
    }

    /// A request of a numbered viewer came.
    ///
    /// - Returns: The cookie that its answer is to set, where it came without its own.
    func came(_ fields: HTTPFields, from viewer: UInt64) -> String? {
        guard !counted.isEmpty || cookies != nil else { return nil }
        return state.withLock { state in
            for (index, name) in headers.enumerated() {
                if let value = fields[name] {
                    state.headers[index].take(value, of: viewer)
                } else {
                    state.headers[index].count.requestsWithout += 1
                }
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

    /// Parameters of a registration or a pod request of a numbered viewer came.
    ///
    /// - Parameters:
    ///   - viewer: Its number.
    ///   - value: What it says under a name.
    func parametersCame(from viewer: UInt64, _ value: (String) -> String?) {
        guard !parameters.isEmpty else { return }
        state.withLock { state in
            for (index, name) in parameters.enumerated() {
                guard let value = value(name) else { continue }
                state.parameters[index].take(value, of: viewer)
            }
        }
    }

    /// Writes what was counted, where anything is.
    func write(to truth: inout GroundTruth) {
        state.withLock { state in
            if cookies != nil { truth.cookies = state.cookies }
            guard !counted.isEmpty else { return }
            var told: [String: ToldCount] = [:]
            for (name, field) in zip(counted.headers, state.headers) {
                told[CountedFields.title(header: name)] = field.told
            }
            for (name, field) in zip(parameters, state.parameters) {
                told[CountedFields.title(parameter: name)] = field.told
            }
            truth.told = told
        }
    }
}

extension ToldBook.Field {
    fileprivate var told: ToldCount {
        var count = count
        count.numbers = ToldCount.numbers(last.keys.sorted())
        count.digest = digest.text
        return count
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
