const { default: Sequencer } = require('@jest/test-sequencer');

/** Jest's order, which is by what each file took before. Where nothing is known of that, those that start services come first. */
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
    const rank = ({ path }) => ['.e2e-spec.', '.int-spec.', ''].findIndex((part) => path.includes(part));
    return [...sorted].sort((one, other) => rank(one) - rank(other));
  }
};
