/**
 * Version of the computation behind every number, here and in what calls this library. It changes whenever the same
 * data would give other numbers; the engine before it is then frozen in `engines/`, so that what it decided replays.
 */
export const ENGINE_VERSION = '2.2.0';
