// @ts-check

/** Percent of the mutants of a lib that its tests have to find. */
export const LEAST_SCORE = 85;

/**
 * The libs whose tests are tested, and what of them is left away, with the reason.
 * @type {Record<string, { leaveAway: string[], tests?: { leaveAway: string[] } }>}
 */
export const libs = {
  tenancy: { leaveAway: [] },
  auth: { leaveAway: [] },
  limits: { leaveAway: [] },
  ingestion: { leaveAway: ['src/testing/**'] },
  // Simulations of whole companies: they take minutes for each mutant, so that a mutant that only they find survives here.
  statistics: {
    leaveAway: ['src/testing/**', 'src/verify/**'],
    tests: { leaveAway: ['src/verify/**'] },
  },
  analysis: { leaveAway: [] },
  'read-model': { leaveAway: [] },
};
