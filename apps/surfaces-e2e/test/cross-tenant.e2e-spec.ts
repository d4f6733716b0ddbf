import { inForm, isFullForm, noteFigures, type Tenant } from '@outcomes/testing';
import { randomBytes } from 'node:crypto';
import { plantCanaries, columnsWithoutCanary, fingerprintOf } from './canaries';
import { eachOf, transmit, type Answer, type Request } from './exchange';
import { Installation } from './installation';
import { isRepeatable, missingLike, sayingOf } from './likeness';
import { plainRequests, probesOf, type Identifiers, type Ports, type Probe } from './probes';
import { StatementProxy } from './statement-proxy';

const cursor = (list: string, mark: string) =>
  Buffer.from(JSON.stringify([list, mark])).toString('base64url');
const canaryOf = (letter: string) => `${letter}${randomBytes(4).toString('hex')}`;

describe('what one company may learn of another', () => {
  const own = canaryOf('own');
  const foreign = canaryOf('cny');
  let proxy: StatementProxy;
  let installation: Installation;
  let caller: Tenant;
  let target: Tenant;
  let ports: Ports;
  let ids: Identifiers;
  let before: Record<string, unknown>;

  beforeAll(async () => {
    installation = await Installation.create({ databaseUrl: async (url) => proxy.urlOf(url) });
    proxy = await StatementProxy.start(installation.database.ownerUrl);
    caller = await installation.addTenant({ name: 'Caller' });
    target = await installation.addTenant({ name: 'Target' });
    await plantCanaries(installation.database, caller.companyId, own, target.companyId);
    await plantCanaries(installation.database, target.companyId, foreign, caller.companyId);
    ids = await identifiersOf(target);
    before = await fingerprintOf(installation.database, target.companyId);
    const [read, ingest, mcp] = [
      await installation.start('read-api'),
      await installation.start('ingest-api'),
      await installation.start('mcp-gateway'),
    ];
    ports = { read: read.port, ingest: ingest.port, mcp: mcp.port };
  }, 120_000);

  afterAll(async () => {
    await installation?.stop();
    await proxy?.stop();
  });

  it('is planted: every text column of both has its canary', async () => {
    const { database } = installation;
    expect(await columnsWithoutCanary(database, target.companyId, foreign)).toEqual([]);
    expect(await columnsWithoutCanary(database, caller.companyId, own)).toEqual([]);
  });

  it('is something where it is its own: the probes reach data', async () => {
    const found = await leaks(plainRequests(ports, caller.apiKey), own);
    // Mutation: a fill that no reader finds makes this nothing, and all below worthless.
    expect(found.length).toBeGreaterThan(18);
    noteFigures(`${found.length} requests find the canary of the own company`);
  });

  it('is not even whether something exists: what is foreign and what is missing are answered alike', async () => {
    const { apart, asked } = await toldApart();
    expect(apart).toEqual([]);
    noteFigures(`${asked} pairs of requests, 0 told apart`);
  }, 300_000);

  it('is nothing: every endpoint and tool, every kind of identifier, every place', async () => {
    // Every fourth in `npm test`: the places of a kind are odd in number, so that each is asked about some kinds.
    const probes = every(inForm(4, 1));
    expect(probes.length).toBeGreaterThan(2_000);
    expect(await leaks(probes, foreign)).toEqual([]);
    expect(await fingerprintOf(installation.database, target.companyId)).toEqual(before);
    noteFigures(`${probes.length} requests, 0 of them with a canary of the other company`);
  }, 300_000);

  it('is nothing where every WHERE has lost its company: row-level security alone holds', async () => {
    await removePredicates(() => true);
    expect(await leaks(sample(), foreign)).toEqual([]);
    expect(await fingerprintOf(installation.database, target.companyId)).toEqual(before);
  }, 300_000);

  it('is nothing where one WHERE after the other has lost its company', async () => {
    // Every other one in `npm test`.
    const statements = [...proxy.seen].filter((_statement, at) => at % inForm(2, 1) === 0);
    expect(statements.length).toBeGreaterThan(15);
    const probes = sample().filter((_probe, at) => at % inForm(32, 1) === 0);
    for (const statement of statements) {
      await removePredicates((sql) => sql === statement);
      expect({ statement, leaks: await leaks(probes, foreign) }).toEqual({ statement, leaks: [] });
    }
    expect(await fingerprintOf(installation.database, target.companyId)).toEqual(before);
    noteFigures(`${statements.length} statements × ${probes.length} requests, 0 with a canary`);
  }, 1_800_000);

  describe('without row-level security', () => {
    beforeAll(async () => {
      const tables = await installation.database.query<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class WHERE relrowsecurity`,
      );
      for (const { name } of tables) {
        await installation.database.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
      }
    });

    it('is nothing either while every WHERE names its company', async () => {
      await removePredicates(() => false);
      expect(await leaks(sample(), foreign)).toEqual([]);
    }, 300_000);

    // The mutations of all that stands above: a check that cannot fail would find nothing here either.
    it('is found by these very probes where the WHERE is gone too', async () => {
      await removePredicates(() => true);
      const found = await leaks(plainRequests(ports, caller.apiKey), foreign);
      expect(new Set(found).size).toBeGreaterThan(18);
      noteFigures(`${found.length} requests find the canary of the other company`);
    }, 300_000);

    it('is told apart from what is missing, too', async () => {
      await removePredicates(() => true);
      const { apart, asked } = await toldApart();
      expect(apart.length).toBeGreaterThan(inForm(0, 10));
      noteFigures(`${apart.length} of ${asked} pairs of requests told apart`);
    }, 300_000);

    it('is found where a single WHERE is gone', async () => {
      const found: string[] = [];
      for (const statement of proxy.seen) {
        await removePredicates((sql) => sql === statement);
        const leaking = await leaks(plainRequests(ports, caller.apiKey), foreign);
        if (leaking.length > 0) found.push(statement);
        // `npm test` looks no further than it has to.
        if (!isFullForm() && found.length > 3) break;
      }
      expect(found.length).toBeGreaterThan(3);
      noteFigures(`${found.length} of ${proxy.seen.size} statements leak by themselves`);
    }, 300_000);
  });

  /** All probes, or in the slice every tenth. */
  function sample(): Probe[] {
    return every(inForm(10, 1));
  }

  /** Of the probes that name something every nth, and all others. */
  function every(nth: number): Probe[] {
    const probes = probesOf(ports, caller.apiKey, ids).filter((_probe, at) => at % nth === 0);
    return [...probes, ...plainRequests(ports, caller.apiKey)];
  }

  async function removePredicates(from: (sql: string) => boolean): Promise<void> {
    proxy.removePredicates(from);
    await replaceFunction('read_snapshots', from('read_snapshots') ? 'true' : 'company_id = of_company');
  }

  /** The read of several documents has its WHERE in a function. */
  async function replaceFunction(name: string, predicate: string): Promise<void> {
    const [found] = await installation.database.query<{ source: string }>(
      `SELECT pg_get_functiondef($1::regproc) AS source`,
      [name],
    );
    const source = found?.source.replace(
      /WHERE (?:true|company_id = of_company) AND/,
      `WHERE ${predicate} AND`,
    );
    expect(source).toContain(`WHERE ${predicate} AND`);
    await installation.database.query(source ?? '');
  }

  /** Names of the requests whose answer holds a canary, but for what the request itself said. */
  async function leaks(probes: readonly Probe[], canary: string): Promise<string[]> {
    const found: string[] = [];
    await eachOf(probes, 12, async ({ name, request, named }) => {
      const answer = await answered(request);
      const said = [named, encodeURIComponent(named), JSON.stringify(named).slice(1, -1)];
      const rest = said.reduce((text, part) => (part === '' ? text : text.replaceAll(part, '')), answer.raw);
      if (rest.includes(canary)) found.push(name);
    });
    return found;
  }

  /**
   * Names of the requests that are answered one way for what is foreign and another for what does not exist; in the
   * slice of every eighth.
   */
  async function toldApart(): Promise<{ readonly apart: readonly string[]; readonly asked: number }> {
    const missing = missingLike(ids, foreign);
    const [theirs, nobodys] = [ids, { ...missing, ...cursorsOf(missing) }].map((named) =>
      probesOf(ports, caller.apiKey, named)
        .filter(isRepeatable)
        .filter((_probe, at) => at % inForm(8, 1) === 0),
    );
    const apart: string[] = [];
    let asked = 0;
    // A service at a time: calls of tools stand in the log that the read API shows.
    for (const port of Object.values(ports)) {
      const of = (probes: readonly Probe[] = []) => probes.filter(({ request }) => request.port === port);
      const others = of(nobodys);
      expect(others.length).toBeGreaterThan(inForm(10, 20));
      asked += others.length;
      await eachOf(of(theirs), 12, async (probe, at) => {
        const other = others[at] ?? probe;
        const [one, two] = [await answered(probe.request), await answered(other.request)];
        if (sayingOf(one, probe.named) !== sayingOf(two, other.named)) apart.push(probe.name);
      });
    }
    return { apart, asked };
  }

  async function answered(request: Request): Promise<Answer> {
    let answer = await transmit(request);
    // The proxy has just cut the connections; the services make new ones.
    for (let retry = 0; answer.status === 503 && retry < 5; retry += 1) answer = await transmit(request);
    return answer;
  }

  function cursorsOf({ campaign = '', entry = '' }: Identifiers): Identifiers {
    return {
      campaignsCursor: cursor('campaigns', campaign),
      auditCursor: cursor('audit', entry),
      decisionsCursor: cursor('decisions', entry),
    };
  }

  async function identifiersOf({ companyId, keyId }: Tenant): Promise<Identifiers> {
    const one = async (column: string, table: string, condition = 'true') => {
      const rows = await installation.database.query<{ value: string }>(
        `SELECT ${column}::text AS value FROM ${table} WHERE company_id = $1 AND ${condition} ORDER BY 1 LIMIT 1`,
        [companyId],
      );
      return rows[0]?.value ?? '';
    };
    const campaign = await one('campaign_id', 'touches');
    // The refused call that names the other company stands in both logs, and is no secret.
    const entry = await one('entry_id', 'audit_log', 'requested_company_id IS NULL');
    return {
      company: companyId,
      key: keyId,
      campaign,
      entry,
      ...{ event: await one('event_id', 'outcome_events'), touch: await one('touch_id', 'touches') },
      ...{ recipient: await one('recipient_id', 'touches'), hash: await one('recipient_hash', 'touches') },
      ...{ thread: await one('thread_id', 'touches'), run: await one('run_id', 'analysis_runs') },
      ...{ portal: await one('portal_id', 'companies'), document: await one('document', 'snapshots') },
      ...{ batch: await one('batch_id', 'ingest_batches'), metric: 'subject_lines' },
      source: await one('source_id', 'sources'),
      ...cursorsOf({ campaign, entry }),
    };
  }
});
