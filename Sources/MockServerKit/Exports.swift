@_exported public import CassetteSpecification

// Their imports make the members of a configuration's values available, and capture no name (SE-0444).
@_exported public import enum CassetteHTTP.CassetteHTTPModule
@_exported public import enum Cassettes.CassettesModule
