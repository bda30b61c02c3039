/// Why an origin cannot listen, in the system's words alone.
package struct OriginListenError: Error, Equatable, CustomStringConvertible {
    package let description: String
}
