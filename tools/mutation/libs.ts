/** Percent of the mutants of a lib that its tests have to find. */
export const LEAST_SCORE = 85;

/** The libs whose tests are tested, and what of them is left away, with the reason. */
export const libs: Readonly<
  Record<
    string,
    { readonly leaveAway: readonly string[]; readonly tests?: { readonly leaveAway: readonly string[] } }
  >
> = {
  tenancy: { leaveAway: [] },
  auth: { leaveAway: [] },
  limits: { leaveAway: [] },
  ingestion: { leaveAway: ['src/testing/**'] },
  // Simulations of whole companies: they take minutes for each mutant, so that a mutant that only they find survives here.
  statistics: {
    leaveAway: ['src/testing/**', 'src/verify/**'],
    // The two specs of comments read sources, which are other ones while mutants are tested.
    tests: { leaveAway: ['src/verify/**', 'src/doc-comments.spec.ts', 'src/doc-examples.spec.ts'] },
  },
  // As above: what `npm run verify:statistics` runs.
  analysis: { leaveAway: ['src/verify/**'] },
  'read-model': { leaveAway: [] },
};
