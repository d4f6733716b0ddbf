// @ts-check
// Makes one file of each compiled application and of everything it imports: apps/<app>/bundle/program.js, which main.js beside it
// runs. A process that loads 1,700 files spends most of its start on finding them.
import { build } from 'esbuild';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const help = `Usage: node tools/bundle.mjs [app ...]

Bundles apps/<app>/dist/main.js, which the compiler wrote, into apps/<app>/bundle, of which main.js is started: of the named
applications, or of all. A bundle that is newer than everything it is made of stays as it is.`;

const root = join(import.meta.dirname, '..');

/** What OpenTelemetry puts itself into as it is loaded stays a package in services; commands have no traces. */
const traced = ['ioredis', 'pg'];

/** What stays a package of its own, to be found in node_modules when the program runs. */
const external = [
  // Loaded where traces are on. Their API, of which all copies in a process are one, is loaded always.
  ...['exporter-*', 'instrumentation', 'instrumentation-*', 'resources', 'sdk-*'].map(
    (name) => `@opentelemetry/${name}`,
  ),
  // OpenTelemetry puts itself into it, too. No command loads it.
  'express',
  // Its files are served.
  'swagger-ui-dist',
  // Nest asks for them and goes on without: they are not installed.
  ...[
    '@fastify/static',
    '@nestjs/microservices',
    '@nestjs/websockets',
    'class-transformer',
    'class-validator',
  ],
  // pg asks for it in the same way.
  'pg-native',
];

const services = ['analysis-worker', 'console', 'ingest-api', 'mcp-gateway', 'read-api'];
const commandLine = 'outcomes-cli';
const applications = [...services, commandLine];

/** Beside the inputs: what a bundle is made with. */
const recipe = ['tools/bundle.mjs', 'tools/bundle-entry.cjs', 'package-lock.json'];

const folderOf = (/** @type {string} */ app) => join(root, 'apps', app, 'bundle');
const entryOf = (/** @type {string} */ app) => join(root, 'apps', app, 'dist/main.js');
/** Names of the files that the bundle was made of. Written last: a bundle that was broken off counts for nothing. */
const inputsOf = (/** @type {string} */ app) => join(folderOf(app), 'inputs.json');

/** @param {string} app */
function isCurrent(app) {
  const list = inputsOf(app);
  if (!existsSync(list)) return false;
  const since = statSync(list).mtimeMs;
  /** @type {string[]} */
  const inputs = JSON.parse(readFileSync(list, 'utf8'));
  return [...recipe, ...inputs].every((name) => {
    const input = statSync(join(root, name), { throwIfNoEntry: false });
    return input !== undefined && input.mtimeMs <= since;
  });
}

/**
 * All at once: most of what they import is the same, and is read once.
 * @param {string[]} apps
 * @param {string[]} packages that stay what they are, beside those that always do
 */
async function bundle(apps, packages) {
  if (apps.length === 0) return;
  for (const app of apps) rmSync(inputsOf(app), { force: true });
  const { metafile, outputFiles } = await build({
    write: false,
    entryPoints: apps.map((app) => ({ in: entryOf(app), out: `${app}/bundle/program` })),
    outdir: join(root, 'apps'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // What is loaded is CommonJS, and the entry runs the text as a script, which has no import().
    supported: { 'dynamic-import': false },
    // A third of the text is comments and spaces. Names stay, and lines short enough for a stack trace to say where.
    minifyWhitespace: true,
    lineLimit: 120,
    // Not keepNames: it names every function anew each time that one is made, in hot paths too. The few classes that
    // change their names are Nest's own, which goes by the classes.
    // Packages that are modules ask where they are.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    external: [...external, ...packages],
    plugins: [keepPlaces, leaveOutTranslations],
    absWorkingDir: root,
    metafile: true,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, inAscii(text));
  }
  for (const app of apps) {
    copyFileSync(join(root, 'tools/bundle-entry.cjs'), join(folderOf(app), 'main.js'));
    writeFileSync(inputsOf(app), JSON.stringify(importsOf(relative(root, entryOf(app)), metafile)));
  }
}

/**
 * One letter beyond Latin-1 has V8 keep all the text at two bytes a letter, in every process. What esbuild leaves, which are
 * the letters of regular expressions, says the same as an escape.
 * @param {string} text
 */
function inAscii(text) {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * @param {string} entry
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]} the entry and all that it imports, by way of others as well
 */
function importsOf(entry, { inputs }) {
  const found = new Set([entry]);
  for (const name of found)
    for (const { path, external: isPackage } of inputs[name]?.imports ?? []) if (!isPackage) found.add(path);
  return [...found];
}

/**
 * Own files that read others beside them, such as scripts of Redis, find them where they were.
 * @type {import('esbuild').Plugin}
 */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(apps|libs)\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const text = await readFile(path, 'utf8');
      // It is the same way from the bundles of all applications.
      const from = (/** @type {string} */ place) =>
        `require('node:path').join(__dirname, ${JSON.stringify(relative(folderOf('any'), place))})`;
      const contents = text.replaceAll(/\b__(dirname|filename)\b/g, (_, which) =>
        from(which === 'dirname' ? dirname(path) : path),
      );
      return { contents, loader: 'js' };
    });
  },
};

/**
 * What zod says in sixty languages, of which each process would load all: nobody here chooses one, and the English that it
 * says by itself is in a file of its own.
 * @type {import('esbuild').Plugin}
 */
const leaveOutTranslations = {
  name: 'leave-out-translations',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/zod\/v4\/locales\/index\.c?js$/ }, () => ({
      contents: '',
      loader: 'js',
    }));
  },
};

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
if (values.help) {
  console.log(help);
} else {
  const wanted = positionals.length > 0 ? positionals : applications;
  const faults = wanted.flatMap((app) => {
    if (!applications.includes(app)) return [`${app} is none of ${applications.join(', ')}.`];
    return existsSync(entryOf(app)) ? [] : [`${app} is not compiled. Run "npm run build".`];
  });
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
  } else {
    const stale = wanted.filter((app) => !isCurrent(app));
    await Promise.all([
      bundle(
        stale.filter((app) => app !== commandLine),
        traced,
      ),
      bundle(
        stale.filter((app) => app === commandLine),
        [],
      ),
    ]);
  }
}
