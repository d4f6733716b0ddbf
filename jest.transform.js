const { createTransformer } = require('@swc/jest');

/**
 * swc, whose output of a file is the same for every project: Jest's key names the folder of the project, so that what all
 * of them import was compiled up to eighteen times in a clean clone, 7,900 times for 1,950 files.
 */
module.exports = {
  createTransformer(options) {
    const transformer = createTransformer(options);
    const ofAll = (given) => ({ ...given, config: { ...given.config, rootDir: __dirname } });
    return {
      ...transformer,
      getCacheKey: (source, path, given) => transformer.getCacheKey(source, path, ofAll(given)),
    };
  },
};
