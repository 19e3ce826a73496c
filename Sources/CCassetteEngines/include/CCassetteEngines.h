/// The hook by which the target CassetteEngines, if it is linked, adds itself to a process.
#ifndef CCASSETTEENGINES_H
#define CCASSETTEENGINES_H

/// Registers the linked engines. This definition is weak and does nothing; the one in CassetteEngines replaces it.
void cassette_register_engines(void);

#endif
