import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PinnedPackage } from '../mcp/pinned-package.ts';
import { descriptions } from './answers.ts';
import type { Section } from './section.ts';

const section = 'openapi';
const RULESET = 'extends: ["spectral:oas"]\n';

/** Linters that others wrote: how each is asked, and whether it found an error. */
const linters = [
  { name: '@redocly/cli@2.77.0', command: 'redocly', args: (file: string) => ['lint', file] },
  {
    name: '@stoplight/spectral-cli@6.16.3',
    command: 'spectral',
    args: (file: string) => ['lint', file, '--ruleset', 'ruleset.yaml', '--fail-severity', 'error'],
  },
];

/** Holds both API descriptions against the linters, and a broken one beside them. */
export async function verifyDescriptions({ report, folder }: Section) {
  writeFileSync(join(folder, 'ruleset.yaml'), RULESET);
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, withoutSchemas(readFileSync(Object.values(descriptions)[0] ?? '', 'utf8')));
  for (const { name, command, args } of linters) {
    const linter = new PinnedPackage(name, command, folder);
    const missing = await linter.missing();
    if (missing) {
      report.notRun(section, name, missing);
      continue;
    }
    for (const [api, file] of Object.entries(descriptions)) {
      const { code, output } = await linter.run(args(file), 300_000);
      report.add(section, `${name}: ${api} has no error`, code === 0, lastLine(output));
    }
    const { code } = await linter.run(args(broken), 300_000);
    report.add(section, `${name} finds a broken description`, code !== 0, `exit code ${code}`);
  }
}

/** A description that refers to what it does not have. */
function withoutSchemas(text: string) {
  const description = JSON.parse(text);
  description.components.schemas = {};
  return JSON.stringify(description);
}

function lastLine(output: string) {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
