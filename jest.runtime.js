const { default: Runtime } = require('jest-runtime');

/** What was made of the files of packages, which do not change while tests run: of all projects and suites of this process. */
const transformed = new Map();
const isOfPackage = (filename) => filename.includes('/node_modules/');

/**
 * Jest's runtime, which reads the files of packages once in a process. Jest's own reads each of them again for each suite,
 * asks each time whether it has changed, and makes an object `jest` for it: a quarter of the CPU of short suites.
 */
module.exports = class KeepingRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { transformCache, jestGlobals } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, options) => {
      if (!isOfPackage(filename) || options?.isInternalModule) return transform(filename, options);
      const kept = transformed.get(filename);
      if (!kept) {
        const code = transform(filename, options);
        transformed.set(filename, transformCache.transforms.get(filename));
        return code;
      }
      transformCache.transforms.set(filename, kept);
      if (kept.sourceMapPath) transformCache.sourceMaps.set(filename, kept.sourceMapPath);
      return kept.code;
    };
    const jestObjectFor = jestGlobals.jestObjectFor.bind(jestGlobals);
    jestGlobals.jestObjectFor = (from) => (isOfPackage(from) ? undefined : jestObjectFor(from));
  }
};
