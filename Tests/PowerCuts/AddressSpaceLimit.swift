internal import CrashSimulator

/// A limit on the memory of a process that a test starts for itself.
package enum AddressSpaceLimit {
    /// Limits this process, for good; false where the system does not know how.
    package static func set(_ bytes: Int) -> Bool { address_space_limit(UInt64(bytes)) }
}
