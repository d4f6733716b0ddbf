const { readFileSync, statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const KINDS = ['.e2e-spec.', '.int-spec.', ''];

/**
 * Jest's order, which is by what each file took before. Where nothing is known of that, those that start services come first,
 * and of each kind the longest: what is left for the end is short, and what waits does so beside what does not.
 */
module.exports = class ServicesFirst extends Sequencer {
  /** A file of each project, as the projects have one id. */
  _getCachePath(context) {
    const { config } = context;
    return super._getCachePath({
      ...context,
      config: { ...config, id: `${config.id}-${config.displayName.name}` },
    });
  }

  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const rankOf = (path) => KINDS.findIndex((part) => path.includes(part));
    return sorted
      .map((test) => ({ test, rank: rankOf(test.path), length: lengthOf(test.path) }))
      .sort((one, other) => one.rank - other.rank || other.length - one.length)
      .map(({ test }) => test);
  }
};

/** Length of the text of a suite, or of the suites that are loaded together by a file of tools/local/suite-groups.mjs. */
function lengthOf(path) {
  if (!path.endsWith('.js')) return statSync(path).size;
  const suites = readFileSync(path, 'utf8').matchAll(/require\((".*")\)/g);
  return [...suites].reduce((sum, [, suite]) => sum + statSync(JSON.parse(suite)).size, 0);
}
