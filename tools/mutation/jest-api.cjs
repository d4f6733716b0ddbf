// What specs use of Jest, for Mocha: it loads them once and runs them again for every mutant, where Jest would load
// every module again each time (seconds for each of thousands of mutants).
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const root = join(__dirname, '../..');
const fromRoot = Module.createRequire(join(root, 'package.json'));
const { transformSync } = fromRoot('@swc/core');
const { expect } = fromRoot('expect');
const { bind } = fromRoot('jest-each');
const { ModuleMocker } = fromRoot('jest-mock');
const { ModernFakeTimers } = fromRoot('@jest/fake-timers');
const preset = fromRoot('./jest.preset.js');
const [, swc] = preset.transform['\\.ts$'];

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swc, filename });
  module._compile(code, filename);
};

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {}, rootDir: root } });
globalThis.expect = expect;
globalThis.jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
  setSystemTime: (now) => timers.setSystemTime(now),
  setTimeout: () => {},
};

/**
 * Runs what comes before the tests of a suite. Stryker takes it for a part of the test that ran last, which is one of
 * another suite, and would try a mutant in there with that test alone; it is a part of each test of its own suite.
 */
async function coveredByAll(suite, work) {
  const stryker = globalThis.__stryker__;
  if (!stryker || stryker.activeMutant !== undefined) return work();
  const { currentTestId } = stryker;
  const here = `before ${suite.fullTitle()}`;
  stryker.currentTestId = here;
  try {
    await work();
  } finally {
    stryker.currentTestId = currentTestId;
    const perTest = stryker.mutantCoverage?.perTest ?? {};
    const covered = Object.entries(perTest[here] ?? {});
    delete perTest[here];
    suite.eachTest((test) => {
      const own = (perTest[test.fullTitle()] ??= {});
      for (const [mutant, hits] of covered) own[mutant] = (own[mutant] ?? 0) + hits;
    });
  }
}

// Mocha defines its own before a file is loaded; this wraps them.
const wrapped = new WeakSet();
function wrap() {
  if (wrapped.has(globalThis.it)) return;
  const { it, describe, before, after } = globalThis;
  const test = (name, fn) => it(String(name), fn);
  const suite = (name, fn) => describe(String(name?.name ?? name), fn);
  test.each = bind(test);
  suite.each = bind(suite);
  Object.assign(globalThis, {
    it: test,
    test,
    describe: suite,
    beforeAll: (fn) =>
      before(function () {
        return coveredByAll(this.test.parent, fn);
      }),
    afterAll: (fn) => after(fn),
  });
  const { beforeEach, afterEach } = globalThis;
  globalThis.beforeEach = (fn) => beforeEach(fn);
  globalThis.afterEach = (fn) => afterEach(fn);
  wrapped.add(test);
}
const compile = Module._extensions['.ts'];
Module._extensions['.ts'] = (module, filename) => {
  if (/spec\.ts$/.test(filename)) wrap();
  compile(module, filename);
};
exports.mochaHooks = { beforeEach: () => void mocker.clearAllMocks() };
