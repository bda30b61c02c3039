/// Version in `--version` and in every result.
package enum PodswarmVersion {
    package static let current = "0.1.0"
}
