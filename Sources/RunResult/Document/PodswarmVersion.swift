/// The version of podswarm, as `--version` prints and every result carries it.
package enum PodswarmVersion {
    package static let current = "0.1.0"
}
