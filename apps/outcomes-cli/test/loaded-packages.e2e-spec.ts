import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, startCommand, testRedisUrl } from '@outcomes/testing';

const HEAVY = [
  'typeorm',
  'bullmq',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/common',
  'ioredis',
  'pg',
];
/** What it takes to connect to an installation. */
const CONNECTING = ['typeorm', '@nestjs/common', 'ioredis', 'pg'];
/** As compiled: what a bundle executes of a package, nobody sees. */
const COMPILED = join(__dirname, '../dist/main.js');
const NOBODY = '00000000-0000-4000-8000-000000000000';
const MAILS =
  'lead_name,lead_email,lead_category,sequence_number,stats_id,email_subject,sent_time,open_time,click_time,reply_time,is_unsubscribed,is_bounced\n' +
  'Ann,ann@example.com,,1,s-1,Hello,2026-01-05T09:00:00Z,,,,false,false\n';
const OUTCOMES =
  'event_id,channel,sequence_step,recipient_id,sent_at,outcome_at,outcome\n' +
  '00000000-0000-4000-8000-000000000001,email,0,r-1,2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,no_response\n';

describe('outcomes', () => {
  const refusing = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(401).end('{"code":"UNAUTHENTICATED","message":"no"}'));
  });
  let folder: string;
  let asked = 0;
  let access: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-loaded-'));
    writeFileSync(join(folder, 'mails.csv'), MAILS);
    writeFileSync(join(folder, 'outcomes.csv'), OUTCOMES);
    refusing.on('request', () => (asked += 1)).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    access = ['--key', 'k', '--url', `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`];
  });
  afterAll(() => {
    refusing.close();
    rmSync(folder, { recursive: true });
  });

  const run = (...command: string[]) => runWith({}, ...command);
  const runWith = async (variables: Record<string, string>, ...command: string[]) => {
    // No other variable, and no file of a running installation.
    const environment = { NODE_OPTIONS: `--require ${join(__dirname, 'loaded-packages.cjs')}`, ...variables };
    const { code, stdout, stderr } = await startCommand(command, {
      cwd: folder,
      environment,
      program: COMPILED,
    }).ended;
    const loaded = stderr.split('\n').at(-1)?.split(' ') ?? [];
    expect(loaded).toContain('commander');
    return { code, heavy: HEAVY.filter((name) => loaded.includes(name)), said: stdout + stderr };
  };

  // Mutation: '@outcomes/platform' instead of '@outcomes/platform/process' in main.ts loads Nest and ioredis; a plain
  // import of connected-installation instead of the one inside withInstallation loads them all.
  it.each([[['--help']], [['import', '--help']], [['import', 'mails.csv', '--campaign', '7', '--dry-run']]])(
    'loads no database, queue or framework for %j',
    async (command) => expect(await run(...command)).toMatchObject({ code: 0, heavy: [] }),
  );

  it.each([
    [['import', 'outcomes.csv', '--no-wait']],
    [['suppressions', 'export', 'suppressions.csv']],
    [['sources', 'replay', 'src_1']],
  ])('loads none for %j, which asks a service by HTTP', async (command) => {
    const before = asked;
    expect(await run(...command, ...access)).toMatchObject({ code: 1, heavy: [] });
    expect(asked).toBeGreaterThan(before);
  });

  // Mutation: a plain import of run-migrations in libs/persistence/src/database/migrate.ts, or of record-as-owner in
  // migrate-installation.ts, loads typeorm and more.
  it('loads the driver alone to find a database up to date, which every start asks', async () => {
    const database = await createTestDatabase();
    try {
      const migrated = await runWith({ DATABASE_URL: database.ownerUrl }, 'migrate', '--json');
      expect(migrated).toMatchObject({ code: 0, heavy: ['pg'] });
      expect(migrated.said).toContain('{"migrations":[],"restored":[],"logins":[]}');
    } finally {
      await database.drop();
    }
  });

  // Mutation: a plain import of advance in run-quickstart.ts loads them all.
  it('loads none to report of a demonstration that is done, and the database to go on with one', async () => {
    const signIn = { email: 'owner@demonstration.example', password: 'p' };
    const state = {
      companyId: 'c',
      companyName: 'Demonstration',
      apiKey: 'k',
      planted: null,
      sent: true,
      signIn,
    };
    const files = ['--state', 'state.json', '--output', 'output.json'];
    // Nobody answers there: neither that the key is wrong, nor what was found.
    const nowhere = { READ_API_URL: 'http://127.0.0.1:9/v1' };
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ ...state, analysed: true }));
    const done = await runWith(nowhere, 'quickstart', ...files);
    expect(done).toMatchObject({ code: 0, heavy: [] });
    expect(done.said).toContain('owner@demonstration.example');
    for (const left of [
      { ...state, analysed: false },
      { ...state, analysed: true, sent: false },
      { ...state, analysed: true, signIn: undefined },
    ]) {
      writeFileSync(join(folder, 'state.json'), JSON.stringify(left));
      const { heavy, said } = await runWith(nowhere, 'quickstart', ...files);
      expect(said).toContain('no database');
      expect(heavy).toEqual(CONNECTING);
    }
  });

  // Mutation: a plain import of any of the libs that connected-installation.ts loads by getters loads bullmq; HttpAdapter
  // among the values of @outcomes/platform loads Nest's core and Express.
  it('loads beyond the database only what a command takes', async () => {
    const database = await createTestDatabase();
    try {
      const url = { DATABASE_URL: database.ownerUrl, REDIS_URL: testRedisUrl() };
      const listed = await runWith(url, 'company', 'list', '--json');
      expect(listed).toMatchObject({ code: 0, heavy: CONNECTING });
      expect(listed.said).toContain('{"companies":[]}');
      await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Test')`, [NOBODY]);
      // That the queue is missing above is not for want of being recognised.
      const unread = await runWith(url, 'batches', 'list', '--company', NOBODY, '--json');
      expect(unread.code).toBe(0);
      expect(unread.heavy).toContain('bullmq');
    } finally {
      await database.drop();
    }
  });
});
