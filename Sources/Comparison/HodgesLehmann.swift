/// The median of all differences between two samples, with an interval that needs no distribution.
enum HodgesLehmann {}
