import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Installation } from './installation';

const README = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
const OUTCOMES = [
  'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome',
  'email,0,r-1,2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,responded',
];
const EXPORT = [
  'Timestamp,Activity,Lead,Campaign,Step',
  '2026-01-05T09:00Z,Email Sent,a@example.com,S,Step 1',
];

/** Every line of the README that calls the program, as its arguments; what follows a # explains it. */
const commands = [...README.matchAll(/^npx outcomes (.*)$/gm)].map(
  ([, line = '']) => line.replace(/\s+#.*$/, '').match(/"[^"]*"|\S+/g) ?? [],
);

describe('the commands of the README', () => {
  let installation: Installation;
  let folder: string;
  let company: { companyId: string; apiKey: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-readme-'));
    writeFileSync(join(folder, 'outcomes.csv.gz'), gzipSync(`${OUTCOMES.join('\n')}\n`));
    writeFileSync(join(folder, 'export.csv'), `${EXPORT.join('\n')}\n`);
    const secrets = { SOURCE_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    installation = await Installation.start(['ingest-api', 'analysis-worker', 'read-api'], secrets);
    company = await installation.cli('company', 'create', 'Reader');
  }, 60_000);
  afterAll(async () => {
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  /** What a reader puts in place of what the README leaves open. */
  const filled = (argument: string) =>
    argument
      .replace(/^"(.*)"$/, '$1')
      .replace('<id>', company.companyId)
      .replace('svc_…', company.apiKey)
      .replace('https://…', 'https://hooks.example.com/outcomes');

  it('are found', () => {
    expect(commands.map(([command]) => command)).toEqual(
      expect.arrayContaining(['company', 'import', 'keys', 'webhooks', 'doctor']),
    );
  });

  // Beside `npm start` the key and the address come from its files; here from the variables that stand for them.
  it.each(commands)(
    'runs: outcomes %s %s %s %s',
    async (...args) => {
      const environment = {
        OUTCOMES_API_KEY: company.apiKey,
        READ_API_URL: `${installation.service('read-api').url}/v1`,
      };
      const command = await installation.startCommand(args.map(filled), { cwd: folder, environment });
      const overdue = setTimeout(() => command.child.kill(), 50_000);
      const { code, stdout, stderr } = await command.ended;
      clearTimeout(overdue);
      // What it found or waited for, and what everybody else did meanwhile.
      if (code !== 0)
        throw new Error(`it ended with ${code}: ${stdout}\n${stderr}\n${installation.output()}`);
      expect(stdout).not.toBe('');
    },
    60_000,
  );
});
