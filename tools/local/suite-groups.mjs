// @ts-check
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Most suites of a kind that are loaded together. Those that start services take longest: there are fewest of them in a
 * group, so that they can be spread over the workers.
 */
const sizes = { 'e2e-spec': 6, 'int-spec': 12, spec: 30 };

/**
 * @typedef {object} Group
 * @property {string} project - its folder, from the root
 * @property {keyof typeof sizes} kind
 * @property {readonly string[]} suites - paths from the root
 */

/**
 * Which suites a whole run loads together. Jest loads everything that a suite imports again for each suite; in a group it is
 * loaded once, which takes a sixth off the CPU of those of libs and of the lighter services. Each is a `describe` of its
 * own, whose hooks are its own.
 * @param {string} root - of the project
 * @returns {Group[]} every suite in one of them
 */
export function suiteGroups(root) {
  return projectsOf(root).flatMap((project) => {
    const suites = suitesOf(root, project);
    return Object.entries(sizes).flatMap(([name, size]) => {
      const kind = /** @type {keyof typeof sizes} */ (name);
      const own = suites.filter((suite) => suite.endsWith(`.${kind}.ts`));
      // What replaces a module does so for everybody who loads it after.
      const alone = own.filter((suite) => readFileSync(join(root, suite), 'utf8').includes('jest.mock('));
      const together = own.filter((suite) => !alone.includes(suite));
      const groups = [...alone.map((suite) => [suite]), ...spread(root, together, size)];
      return groups.map((group) => ({ project, kind, suites: group }));
    });
  });
}

/**
 * Writes the groups as files for Jest, and a configuration that runs them.
 * @param {string} root - of the project
 * @param {string} directory - emptied first
 * @returns {string} path of the configuration
 */
export function writeSuiteGroups(root, directory) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const groups = suiteGroups(root);
  for (const group of groups) {
    const { project, kind, suites } = group;
    mkdirSync(join(directory, project), { recursive: true });
    const lines = suites.map((suite) => {
      const path = JSON.stringify(join(root, suite));
      return `describe(${JSON.stringify(suite)}, () => void require(${path}));\n`;
    });
    const alike = groups.filter((other) => other.project === project && other.kind === kind);
    const [first = '', ...further] = suites;
    const place = `group-${alike.indexOf(group) + 1}-of-${alike.length}`;
    const name = further.length === 0 ? nameOf(relative(project, first)) : place;
    writeFileSync(join(directory, project, `${name}.${kind}.js`), lines.join(''));
  }
  const projects = [...new Set(groups.map(({ project }) => project))].map((project) => {
    const own = JSON.stringify(join(root, project, configOf(root, project) ?? ''));
    const roots = JSON.stringify([join(directory, project)]);
    return `    { ...require(${own}), roots: ${roots}, testRegex: 'spec\\\\.js$' },\n`;
  });
  const config = join(directory, 'jest.config.js');
  const all = JSON.stringify(join(root, 'jest.config.js'));
  writeFileSync(
    config,
    `module.exports = {\n  ...require(${all}),\n  projects: [\n${projects.join('')}  ],\n};\n`,
  );
  return config;
}

/** @param {string} root @returns {string[]} folders of what Jest tests, from the root */
function projectsOf(root) {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(root, kind), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(kind, name))
      .sort()
      .filter((project) => configOf(root, project) !== undefined),
  );
}

/** @param {string} root @param {string} project @returns {string | undefined} name of its configuration of Jest */
const configOf = (root, project) =>
  readdirSync(join(root, project)).find((name) => /^jest\.config\.c?js$/.test(name));

/** @param {string} root @param {string} project @returns {string[]} what jest.preset.js takes for a suite */
function suitesOf(root, project) {
  const ignored = /(^|\/)(node_modules|dist|bundle|out-tsc|\.stryker-tmp)\//;
  return readdirSync(join(root, project), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(spec|int-spec|e2e-spec)\.ts$/.test(path) && !ignored.test(path))
    .map((path) => join(project, path))
    .sort();
}

/**
 * As many groups as needed, each with about the same length of text: how long a suite takes is known to nobody in a clone.
 * @param {string} root
 * @param {readonly string[]} suites
 * @param {number} size
 * @returns {string[][]}
 */
function spread(root, suites, size) {
  /** @type {{ suites: string[], bytes: number }[]} */
  const groups = Array.from({ length: Math.ceil(suites.length / size) }, () => ({ suites: [], bytes: 0 }));
  const measured = suites.map((suite) => ({ suite, bytes: statSync(join(root, suite)).size }));
  for (const { suite, bytes } of measured.sort((one, other) => other.bytes - one.bytes)) {
    const open = groups.filter((group) => group.suites.length < size);
    const least = open.reduce((found, group) => (group.bytes < found.bytes ? group : found));
    least.suites.push(suite);
    least.bytes += bytes;
  }
  return groups.map((group) => group.suites);
}

/** @param {string} suite */
const nameOf = (suite) => suite.replace(/\.[a-z0-9-]+\.ts$/, '').replaceAll('/', '-');
