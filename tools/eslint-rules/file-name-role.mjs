import { workspacePath } from './workspace-path.mjs';

const roles = [
  'module',
  'controller',
  'service',
  'repository',
  'entity',
  'processor',
  'sweep',
  'schedule',
  'schema',
  'protocol',
  'producer',
  'guard',
  'interceptor',
  'filter',
  'middleware',
  'decorator',
  'tool',
  'resource',
  'prompt',
  'config',
  'command',
  'page',
  'panel',
  'chart',
  'form',
  'table',
  'query',
  'worker',
  'document',
  'catalogue',
  'format',
];
const vague = ['utils', 'util', 'common', 'helpers', 'helper', 'shared', 'misc'];
const vagueEnding = /-(utils?|helpers?)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const suffix = /(\.(spec|int-spec|e2e-spec|d))?\.tsx?$/;
const migration = /^\d{13,14}-[a-z]+(-[a-z0-9]+)+$/;
const entryPoints = ['main', 'start', 'index'];

/**
 * Whether a statement of a module only passes on what another module exports; `export {}` passes on nothing.
 * @param {import('./decorators.mjs').Node} statement
 */
const isReExport = ({ type, source, declaration, specifiers }) =>
  type === 'ExportAllDeclaration' ||
  (type === 'ExportNamedDeclaration' && !declaration && (Boolean(source) || specifiers.length === 0));

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'suggestion',
    docs: {
      description:
        'A file is called kebab-name.role.ts, with a role from one list and a name that says something; index.ts only re-exports.',
    },
    schema: [
      {
        type: 'object',
        properties: {
          /** `any`: pure functions and types carry no role. `entry-points`: only main.ts, start.ts, index.ts and tests do not. */
          roleless: { enum: ['any', 'entry-points'] },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ roleless: 'any' }],
    messages: {
      kebab: '"{{name}}" is not kebab-case.',
      role: '"{{role}}" is not a known role. Roles: {{roles}}.',
      roleless:
        '"{{file}}" has no role. In an app only main.ts, start.ts and index.ts go without: logic belongs in a lib.',
      vague: '"{{name}}" does not say what is inside. Name it after what it does.',
      logic:
        '"{{file}}" only re-exports: put this into a file named after what it is, and import it from there.',
      migration: '"{{file}}" is not <timestamp>-<verb-object>.ts.',
    },
  },
  create(context) {
    const [{ roleless }] = context.options;
    return {
      Program(node) {
        /** @param {string} messageId @param {Record<string, string>} data */
        const report = (messageId, data) =>
          context.report({ node, loc: { line: 1, column: 0 }, messageId, data });
        const folders = workspacePath(context.filename).split('/');
        const file = folders.pop() ?? '';
        const isTest = /\.(spec|int-spec|e2e-spec)\.tsx?$/.test(file) || folders.includes('test');
        const [name = '', ...given] = file.replace(suffix, '').split('.');
        const role = given.join('.');

        for (const part of [...folders, name]) {
          if (vague.includes(part) || vagueEnding.test(part)) report('vague', { name: part });
        }
        if (name === 'index' && !isTest) {
          const logic = node.body.find((statement) => !isReExport(statement));
          if (logic) context.report({ node: logic, messageId: 'logic', data: { file } });
        }
        if (!kebab.test(name)) report('kebab', { name });
        if (role && !roles.includes(role)) report('role', { role, roles: roles.join(', ') });
        if (!role && roleless === 'entry-points' && !isTest && !entryPoints.includes(name)) {
          report('roleless', { file });
        }
        if (
          folders.at(-1) === 'migrations' &&
          !isTest &&
          name !== 'index' &&
          !(migration.test(name) && !role)
        ) {
          report('migration', { file });
        }
      },
    };
  },
};
