import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import type { Section } from './section.ts';

const section = 'typescript';

/** Packs the TypeScript client; its tests are suites of `npm test`. */
export async function packTypescript({ report, packed }: Section) {
  mkdirSync(packed, { recursive: true });
  const command = ['npm', 'pack', '--json', '--pack-destination', packed];
  const options = { cwd: join(root, 'libs/client'), env: process.env, timeout: 120_000 };
  const { code, output } = await run(command, options);
  const name = /"filename": "([^"]+)"/.exec(output)?.[1];
  const measured = name ? `${name}, ${statSync(join(packed, name)).size} bytes` : output.trim().slice(-300);
  report.add(section, 'the package is packed', code === 0 && name !== undefined, measured);
}
