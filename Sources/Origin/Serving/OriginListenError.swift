/// The system's message of why an origin cannot listen.
package struct OriginListenError: Error, Equatable, CustomStringConvertible {
    package let description: String
}
