// So that a program can name these without products of their own.
@_exported public import struct CassetteHTTP.CORSPolicy
@_exported public import struct CassetteHTTP.WebOrigin
@_exported public import enum CassetteSpecification.MockServerContractMode
