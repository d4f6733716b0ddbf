// @ts-check
/**
 * `npm run settings`: writes what the services say of their settings into docs/settings.md and the READMEs. The services
 * have to be built. settings.spec.mjs fails where the files say anything else.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as prettier from 'prettier';
import { compiled } from './local/settings.mjs';

/**
 * @typedef {{
 *   name: string, description: string, values: string, default?: string, isRequired: boolean, isSecret: boolean,
 * }} Setting
 */

export const root = join(import.meta.dirname, '..');
export const services = ['read-api', 'ingest-api', 'mcp-gateway', 'console', 'analysis-worker'];

/** Those that an installation is likely to set: the README has the first sentence about each, in this order. */
const mostUsed = [
  'DATABASE_URL',
  'REDIS_URL',
  'PORT',
  'MANAGEMENT_PORT',
  'BIND_ADDRESS',
  'DATABASE_POOL_SIZE',
  'DATABASE_POOLER',
  'DATABASE_REPLICA_URL',
  'REDIS_SENTINELS',
  'REDIS_PREFIX',
  'TRUSTED_CA_FILES',
  'TRUSTED_PROXIES',
  'KEY_PREFIX',
  'BOOTSTRAP_CREDENTIALS',
  'SOURCE_SECRETS_KEY',
  'CONSOLE_ORIGIN',
  'MCP_PUBLIC_HOSTS',
  'MCP_OAUTH_ISSUER',
  'LLM_BASE_URL',
  'SMTP_URL',
  'TRACES_ENDPOINT',
  'LOG_LEVEL',
];

const runFile = promisify(execFile);

/**
 * Runs a built service with `--help`.
 * @param {string} service
 * @param {string[]} [args]
 * @param {Record<string, string>} [environment] - instead of this process's, of which only the compile cache is passed on
 * @returns {Promise<string>} what it prints
 */
export async function helpOf(service, args = [], environment = {}) {
  const command = [join(root, 'apps', service, 'bundle/main.js'), '--help', ...args];
  const env = { ...compiled(), ...environment };
  const { stdout } = await runFile(process.execPath, command, { env, timeout: 60_000 });
  return stdout;
}

/** @returns {Promise<Map<string, Setting[]>>} the settings of each service */
export async function settingsByService() {
  /** @type {Map<string, Setting[]>} */
  const found = new Map();
  for (const service of services) found.set(service, JSON.parse(await helpOf(service, ['--json'])));
  return found;
}

/** Documents with a table of some settings of one service. */
const excerpts = new Map([
  [
    'apps/console/README.md',
    { service: 'console', names: /^(CONSOLE_ORIGIN|READ_API_|INGEST_API_|MCP_|OIDC_)/ },
  ],
  ['apps/mcp-gateway/README.md', { service: 'mcp-gateway', names: /^MCP_(OAUTH_|RESOURCE_)/ }],
]);

/**
 * @param {Map<string, Setting[]>} byService
 * @returns {Promise<Map<string, string>>} what the documents have to hold
 */
export async function files(byService) {
  const contents = new Map([
    ['docs/settings.md', allSettings(byService)],
    ['README.md', withTable('README.md', shortTable(mostUsedOf(byService)))],
  ]);
  for (const [file, { service, names }] of excerpts) {
    const settings = (byService.get(service) ?? []).filter(({ name }) => names.test(name));
    contents.set(file, withTable(file, shortTable(settings)));
  }
  for (const [file, content] of contents) contents.set(file, await formatted(content));
  return contents;
}

/**
 * One table of what all services take, and one for what each has of its own or has differently.
 * @param {Map<string, Setting[]>} byService
 */
function allSettings(byService) {
  const [[, first] = ['', []], ...others] = byService;
  const same = first.filter((setting) =>
    others.every(([, settings]) => settings.some((other) => isSame(setting, other))),
  );
  const own = [...byService].map(([service, settings]) => {
    const rest = settings.filter((setting) => !same.some((other) => isSame(setting, other)));
    return `## ${service}\n\n${table(rest)}`;
  });
  return [
    '# Settings',
    'Each service reads its settings from environment variables and checks them before it does anything else: with invalid settings it lists every error and exits with status 1. `node apps/<app>/bundle/main.js --help` prints the same as this page, which `npm run settings` writes from what the services say; a test compares them.',
    `## Every service\n\n${table(same)}`,
    ...own,
  ].join('\n\n');
}

/** @param {Map<string, Setting[]>} byService */
function mostUsedOf(byService) {
  return mostUsed.map((name) => {
    const found = [...byService].flatMap(([service, settings]) =>
      settings.filter((setting) => setting.name === name).map((setting) => ({ service, setting })),
    );
    const [first] = found;
    if (!first) throw new Error(`No service has a setting ${name}.`);
    const only = found.length < services.length ? found.map(({ service }) => service).join(', ') : '';
    const ports = found
      .map(({ setting }) => setting.default)
      .filter((port) => port !== '0')
      .toSorted();
    const [sentence = ''] = first.setting.description.split(/(?<=\.)\s+(?=[A-Z\d])/, 1);
    return {
      ...first.setting,
      description: only === '' ? sentence : `${only}: ${sentence}`,
      ...(/PORT$/.test(name) && { default: `${ports[0]} to ${ports.at(-1)}` }),
    };
  });
}

/** @param {Setting} left @param {Setting} right */
const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/** @param {Setting[]} settings */
function table(settings) {
  const rows = settings.map((setting) => {
    const kind = setting.isSecret ? `${setting.values}, secret` : setting.values;
    return `| \`${setting.name}\` | ${cell(setting.description)} | ${cell(kind)} | ${defaultOf(setting)} |`;
  });
  return ['| setting | meaning | values | default |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** @param {Setting[]} settings */
function shortTable(settings) {
  const rows = settings.map(
    (setting) => `| \`${setting.name}\` | ${cell(setting.description)} | ${defaultOf(setting)} |`,
  );
  return ['| setting | meaning | default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** @param {Setting} setting */
const defaultOf = (setting) =>
  setting.isRequired ? 'required' : setting.default === undefined ? '' : `\`${setting.default}\``;

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

/** @param {string} file @param {string} content */
function withTable(file, content) {
  const document = readFileSync(join(root, file), 'utf8');
  const marked = /(<!-- settings: npm run settings -->\n)[\s\S]*?(<!-- end of settings -->)/;
  if (!marked.test(document)) throw new Error(`${file} has lost the marks of its table of settings.`);
  return document.replace(marked, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
}

/** @param {string} markdown */
async function formatted(markdown) {
  const options = await prettier.resolveConfig(join(root, 'README.md'));
  return prettier.format(markdown, { ...options, parser: 'markdown' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [file, content] of await files(await settingsByService()))
    writeFileSync(join(root, file), content);
}
