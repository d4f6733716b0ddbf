import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { PinnedPackage } from '../mcp/pinned-package.ts';
import { descriptions, goldens, withNewAlert, type Golden } from './answers.ts';
import type { Section } from './section.ts';

const section = 'clients';
const STRICT = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext'];
const RESOLUTION = ['--moduleResolution', 'bundler'];
/** The compiler that the project is built with: hey-api takes any from 5.5 on, and fails with 7. */
const TYPESCRIPT = 'typescript@6.0.3';
const MINUTE_MS = 60_000;

/** Generators, each with the file that its types are in, and how a schema of the description is called there. */
const generators = [
  {
    name: 'openapi-typescript@7.13.0',
    command: 'openapi-typescript',
    beside: [],
    args: (file: string) => [file, '--output', 'types.ts'],
    head: "import type { components } from './types';",
    typeOf: (schema: string) => `components['schemas']['${schema}']`,
  },
  {
    name: '@hey-api/openapi-ts@0.99.0',
    command: 'openapi-ts',
    beside: [TYPESCRIPT],
    args: (file: string) => ['-i', file, '-o', 'client', '-c', '@hey-api/client-fetch'],
    head: "import type * as client from './client';\nimport './client/sdk.gen';",
    typeOf: (schema: string) => `client.${schema}`,
  },
];

/** A kept answer may be of before a field was added; one that is there has to be what it is called. */
const OLDER = `type Older<T> = T extends readonly (infer Item)[] ? Older<Item>[]
  : T extends object ? { [Key in keyof T]?: Older<T[Key]> } : T;`;

/** Generates clients for TypeScript, and compiles them with every golden as a literal. */
export async function verifyTypescriptClients({ report, folder }: Section) {
  for (const generator of generators) {
    const own = join(folder, generator.command);
    mkdirSync(own);
    const tool = new PinnedPackage(generator.name, generator.command, own, generator.beside);
    const missing = await tool.missing();
    if (missing) {
      report.notRun(section, generator.name, missing);
      continue;
    }
    await tool.run(generator.args(descriptions['ingest-api']), 5 * MINUTE_MS);
    const ingest = await compiled(own, generator.head);
    report.add(
      section,
      `${generator.name}: the client of ingest-api compiles`,
      ingest === '',
      ingest || 'strict',
    );
    await tool.run(generator.args(descriptions['read-api']), 5 * MINUTE_MS);
    const all = [...goldens(), ...goldens().flatMap(withNewAlert)];
    const errors = await compiled(own, literals(generator, all));
    report.add(
      section,
      `${generator.name}: the client of read-api compiles with every golden, and with alerts still to come`,
      errors === '',
      errors || `${all.length} answers`,
    );
    const wrong = goldens().filter(({ schema }) => schema === 'BanditState');
    for (const { data } of wrong) data.arm_count = 'many';
    const found = await compiled(own, literals(generator, wrong));
    report.add(
      section,
      `${generator.name}: a wrong answer does not compile`,
      /TS2322/.test(found),
      found || 'it compiles',
    );
  }
}

function literals({ head, typeOf }: (typeof generators)[number], answers: readonly Golden[]) {
  const constants = answers.map(
    ({ schema, data }, n) => `export const answer${n}: Older<${typeOf(schema)}> = ${JSON.stringify(data)};`,
  );
  return [head, OLDER, ...constants].join('\n');
}

/** @returns the first error; empty where there is none */
async function compiled(folder: string, source: string): Promise<string> {
  writeFileSync(join(folder, 'answers.ts'), source);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const command = [process.execPath, tsc, ...STRICT, ...RESOLUTION, 'answers.ts'];
  const { code, output } = await run(command, { cwd: folder, env: process.env, timeout: 5 * MINUTE_MS });
  return code === 0 ? '' : (output.split('\n')[0] ?? '').slice(0, 300) || `exit code ${code}`;
}
