import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseProfile } from './choose-profile';
import { importSourceFile } from './import-source-file';
import { openSourceFile } from './open-source-file';
import { surveyFile, type SourceReading } from './read-source-file';

const COLUMNS = 'lead_email,sequence_number,sent_time,reply_time,is_unsubscribed,is_bounced';
/** More than a batch holds. */
const ROWS = 1_200;

describe('an interrupted import of a file of a tool', () => {
  let folder: string;
  let server: Server;
  /** Requests that are taken before the service refuses. */
  let taken: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-interrupted-'));
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        const { events } = JSON.parse(body) as { events: object[] };
        taken -= 1;
        response.writeHead(taken < 0 ? 403 : 202, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ accepted: events.length, rejected: 0, duplicates: 0, errors: [] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function readingOf(ways: Partial<SourceReading> = {}): Promise<SourceReading> {
    const file = await openSourceFile(join(folder, 'statistics.csv'));
    const own = new Set<string>();
    const chosen = await chooseProfile(file, { from: 'smartlead', own });
    if (chosen.kind === 'contract') throw new Error('The file is one of a tool.');
    return { file, profile: chosen.profile, route: chosen.route, own, campaign: '1', ...ways };
  }

  async function run(reading: SourceReading, requests = Infinity): Promise<number> {
    taken = requests;
    const options = {
      ...{ file: join(folder, 'statistics.csv'), stateFolder: join(folder, 'state'), apiKey: 'svc_key' },
      ingestApiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ onProgress: () => undefined, onWait: () => undefined },
    };
    const { resumedAtRow } = await importSourceFile(options, reading, await surveyFile(reading));
    return resumedAtRow;
  }

  beforeEach(async () => {
    rmSync(join(folder, 'state'), { recursive: true, force: true });
    const rows = Array.from(
      { length: ROWS },
      (_, n) => `lead-${n}@example.com,1,2026-01-05 09:00:00,,false,false`,
    );
    writeFileSync(join(folder, 'statistics.csv'), `${COLUMNS}\n${rows.join('\n')}\n`);
    await expect(run(await readingOf({ own: new Set(['a@x.org', 'b@x.org']) }), 1)).rejects.toThrow(
      /refused/,
    );
  });

  it('goes on where it stopped, in whatever order the addresses of the owner are given', async () => {
    expect(await run(await readingOf({ own: new Set(['b@x.org', 'a@x.org']) }))).toBe(500);
  });

  it('begins again with other addresses of the owner', async () => {
    expect(await run(await readingOf({ own: new Set(['a@x.org']) }))).toBe(0);
  });

  it('begins again with a corrected profile', async () => {
    const { profile, ...reading } = await readingOf({ own: new Set(['a@x.org', 'b@x.org']) });
    const routes = profile.routes.map((route) => ({ ...route, facts: route.facts?.slice(0, 1) ?? [] }));
    expect(await run({ ...reading, profile: { ...profile, routes } })).toBe(0);
  });
});
