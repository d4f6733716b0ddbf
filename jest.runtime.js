const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** What was made of the files of packages, which do not change while tests run: of all projects and suites of this process. */
const transformed = new Map();
const isOfPackage = (filename) => filename.includes('/node_modules/');

/** What was compiled last of each file, of all suites of this process. */
const compiled = new Map();

/**
 * Jest's runtime, which reads the files of packages once in a process, and compiles what suites load once. Jest's own reads
 * and compiles each of them again for each suite, asks each time whether it has changed, and makes an object `jest` for it:
 * most of the CPU of short suites.
 */
module.exports = class KeepingRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { transformCache, jestGlobals, executor } = this;
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

    const compile = executor.compile.bind(executor);
    const parameters = executor.injectedModuleParameters.join(', ');
    executor.compile = (code, filename) => {
      const context = executor.environment.getVmContext();
      // No other suite loads the file of this one.
      if (context === null || filename === executor.testPath) return compile(code, filename);
      const key = `${parameters}:${filename}`;
      const kept = compiled.get(key);
      if (kept?.code === code) return kept.script.runInContext(context);
      const script = scriptOf(code, filename, parameters);
      // Jest's own compilation says what is wrong with it.
      if (script === undefined) return compile(code, filename);
      compiled.set(key, { code, script });
      return script.runInContext(context);
    };
  }
};

/** @returns a script that answers the function around the code of a module, undefined where that has no correct syntax */
function scriptOf(code, filename, parameters) {
  try {
    return new Script(`(function (${parameters}) {${code}\n})`, { filename });
  } catch {
    return undefined;
  }
}
