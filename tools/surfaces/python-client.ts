import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath, run } from '../local/processes.mjs';
import { descriptions, goldensOfToday, modelsOf, withNewAlert, type Golden } from './answers.ts';
import type { Section } from './section.ts';

const section = 'clients';
const GENERATOR = 'openapi-python-client==0.29.1';
const MINUTE_MS = 60_000;

/** Parses each line of answers.jsonl with the model of its schema, and says which fields came back. */
const PARSER = `
import json, sys
import client.models as models
parsed = 0
for line in open(sys.argv[1], encoding='utf-8'):
    answer = json.loads(line)
    found = getattr(models, answer['schema']).from_dict(json.loads(json.dumps(answer['data'])))
    if set(found.to_dict()) != set(answer['data']):
        sys.exit(f"{answer['name']}: other fields came back")
    parsed += 1
print(parsed)
`;

/** Generates a client for Python, and parses every golden with it. */
export async function verifyPythonClient({ report, folder }: Section) {
  if (!onPath('python3')) return report.notRun(section, GENERATOR, 'python3 is not on the PATH');
  const inFolder = (command: string[]) =>
    run(command, { cwd: folder, env: process.env, timeout: 5 * MINUTE_MS });
  const python = join(folder, 'python/bin/python');
  for (const command of [
    ['python3', '-m', 'venv', 'python'],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', GENERATOR],
  ]) {
    const { code, output } = await inFolder(command);
    if (code !== 0) return report.notRun(section, GENERATOR, output.trim().split('\n').at(-1) ?? 'it fails');
  }
  writeFileSync(join(folder, 'generator.yml'), 'post_hooks: []\n');
  const generate = [join(folder, 'python/bin/openapi-python-client'), 'generate', '--meta', 'none'];
  const made = await inFolder([
    ...generate,
    ...[
      '--path',
      descriptions['read-api'],
      '--output-path',
      'client',
      '--config',
      'generator.yml',
      '--fail-on-warning',
    ],
  ]);
  report.add(
    section,
    `${GENERATOR}: a client is generated`,
    made.code === 0,
    made.code === 0 ? 'no warning' : made.output.trim().slice(-300),
  );
  const all = goldensOfToday();
  const parse = async (answers: Golden[]) => {
    writeFileSync(join(folder, 'answers.jsonl'), answers.map((answer) => JSON.stringify(answer)).join('\n'));
    return inFolder([python, '-c', PARSER, 'answers.jsonl']);
  };
  const answers = [...all, ...all.flatMap(withNewAlert)].flatMap(modelsOf);
  const { code, output } = await parse(answers);
  report.add(
    section,
    `${GENERATOR}: every golden that has the fields of today is parsed, also with alerts still to come`,
    code === 0,
    code === 0 ? `${output.trim()} documents of ${all.length} answers` : output.trim().slice(-300),
  );
  const wrong = answers
    .filter(({ schema }) => schema === 'DriftState')
    .map(({ data, ...golden }) => {
      const rest = Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'tests'));
      return { ...golden, data: rest };
    });
  const refused = await parse(wrong);
  report.add(
    section,
    `${GENERATOR}: a wrong answer is not parsed`,
    wrong.length > 0 && refused.code !== 0,
    `${wrong.length} answers without a field`,
  );
}
