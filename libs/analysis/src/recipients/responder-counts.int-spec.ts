import { POSITIONS } from '@outcomes/contracts';
import { campaignKeyOf, createDataSource } from '@outcomes/persistence';
import { seededRng } from '@outcomes/statistics';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, inForm, type TestDatabase } from '@outcomes/testing';
import { createCompany } from '../../test/company-fixture';
import { deleteTouches, settledThrough, storeTouches, type PlannedTouch } from '../../test/touch-fixture';
import type { PreferenceCounts } from './preference-counts';
import { ResponderRepository } from './responder.repository';

const FIRST_DAY = 20_500;
const DAYS = 40;
const STEPS = inForm(16, 40);

// What the maintained counts must be, from all touches.
const PEOPLE = `
  SELECT coalesce(recipient_hash, address, left(encode(sha256(convert_to('recipient_id:' || recipient_id, 'UTF8')), 'hex'), 16)) AS person,
    (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
    (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
    count(*) AS responses, 
    coalesce((array_agg(industry ORDER BY industry IS NULL, sent_at DESC, touch_id))[1], '') AS industry
  FROM touches LEFT JOIN (
    SELECT recipient_id, min(recipient_hash COLLATE "C") AS address FROM touches WHERE company_id = $1 GROUP BY recipient_id
  ) AS recipients USING (recipient_id)
  WHERE company_id = $1 AND outcome = 1 GROUP BY person`;
const COUNTS = `
  SELECT position, industry, count(*)::int AS people, (count(*) FILTER (WHERE confidence >= 0.8))::int AS confident,
    sum(responses)::int AS responses, trim_scale(sum(confidence)) AS confidence
  FROM (${PEOPLE}) AS people GROUP BY position, industry ORDER BY position, industry`;
// Of messages that name a campaign; the group is an industry or a position, with 20 replies in `answers`.
const BY_GROUP = (group: string, answers: string) => `
  SELECT ${group} AS "group", campaign_id AS campaign, channel, position, level, count(*)::int AS n,
    (count(*) FILTER (WHERE outcome = 1))::int AS y
  FROM settled, unnest(levels) AS level
  WHERE campaign_id IS NOT NULL
    AND ${group} IN (SELECT ${group} FROM settled WHERE outcome = 1 AND ${answers} GROUP BY 1 HAVING count(*) >= 20)
  GROUP BY 1, 2, 3, 4, 5`;
const EXPECTED = (of: string) => `
  WITH settled AS (
    SELECT * FROM touches WHERE company_id = $1
      AND sent_day <= (SELECT max(sent_day) FROM touches WHERE company_id = $1) - CASE channel WHEN 0 THEN 14 ELSE 21 END
  ) ${of}`;
const BY_INDUSTRY = EXPECTED(BY_GROUP('industry', 'true'));
const BY_POSITION = EXPECTED(BY_GROUP('position', 'position > 0 AND campaign_id IS NOT NULL'));

describe('what is kept of recipients', () => {
  let database: TestDatabase;
  let close: () => Promise<void>;
  let responders: ResponderRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    const dataSource = createDataSource({
      url: await database.loginAs('outcomes_worker'),
      applicationName: 'responders-test',
      poolSize: 1,
      statementTimeoutMs: 20_000,
      connectTimeoutMs: 2_000,
    });
    await dataSource.initialize();
    close = () => dataSource.destroy();
    responders = new ResponderRepository(new TenantDatabase(dataSource));
  });
  afterAll(async () => {
    await close();
    await database.drop();
  });

  const kept = (table: string, { companyId }: TenantScope) =>
    database.query(`SELECT FROM ${table} WHERE company_id = $1`, [companyId]);
  const counts = ({ companyId }: TenantScope) =>
    database.query(
      `SELECT position, industry, people, confident, responses, trim_scale(confidence) AS confidence
       FROM responder_counts WHERE company_id = $1 ORDER BY position, industry`,
      [companyId],
    );
  interface Expected {
    readonly group: string | number;
    readonly campaign: string;
    readonly channel: number;
    readonly position: number;
    readonly level: number;
    readonly n: number;
    readonly y: number;
  }
  /** By level, as the messages themselves tell it; what nobody answered is left out. */
  const expected = async ({ companyId }: TenantScope, statement: string) => {
    const rows = await database.query<Expected>(statement, [companyId]);
    const strata = Map.groupBy(rows, (row) => [row.group, row.campaign, row.channel, row.position].join());
    return [...strata.values()]
      .filter((levels) => levels.some(({ y }) => y > 0))
      .flat()
      .map(({ group, campaign, ...row }) =>
        lineOf({
          ...row,
          group: typeof group === 'number' ? (POSITIONS[group] ?? '') : group,
          campaign: campaignKeyOf(campaign),
        }),
      )
      .sort();
  };
  const lineOf = ({
    group,
    campaign,
    channel,
    position,
    level,
    n,
    y,
  }: Omit<Expected, 'campaign'> & { campaign: number }) =>
    [group, campaign, channel, position, level, n, y].join();
  const linesOf = (counts: readonly PreferenceCounts[]) =>
    counts
      .flatMap(({ n, y, ...stratum }) =>
        Array.from(n).flatMap((messages, level) =>
          messages === 0 ? [] : [lineOf({ ...stratum, level, n: messages, y: y[level] ?? 0 })],
        ),
      )
      .sort();

  it('is what a count of all messages gives, whatever happens to them', async () => {
    const [company, neighbour] = [await createCompany(database), await createCompany(database)];
    const rng = seededRng(5);
    const draw = (below: number) => Math.floor(rng.next() * below);
    const touch = (): PlannedTouch => ({
      name: `message ${draw(900)}`,
      person: draw(10) === 0 ? null : `person ${draw(120)}`,
      day: FIRST_DAY + draw(DAYS),
      channel: draw(3) === 0 ? 1 : 0,
      position: draw(4),
      industry: [null, 'retail', 'health', 'software'][draw(4)] ?? null,
      campaign: [null, 'spring', 'autumn'][draw(3)] ?? null,
      outcome: draw(2) === 0 ? 1 : draw(4),
      tone: draw(2) === 0 ? 'direct' : 'professional',
    });
    await storeTouches(database, neighbour, [{ ...touch(), person: 'person 1', outcome: 1 }]);
    const before = await counts(neighbour);
    expect(before).toHaveLength(1);
    let groupsSeen = 0;
    for (let step = 0; step < STEPS; step += 1) {
      // New messages, changes of old ones, and both about one person, in one statement.
      const some = new Map(Array.from({ length: 60 }, touch).map((drawn) => [drawn.name, drawn]));
      if (step % 4 === 3) await deleteTouches(database, company, [...some.keys()]);
      else await storeTouches(database, company, [...some.values()]);
      expect(await counts(company)).toEqual(await database.query(COUNTS, [company.companyId]));
      const read = await responders.read(company, await settledThrough(database, company));
      expect(linesOf(read.industryCounts)).toEqual(await expected(company, BY_INDUSTRY));
      expect(linesOf(read.positionCounts)).toEqual(await expected(company, BY_POSITION));
      const groups = [...read.industryCounts, ...read.positionCounts].map(({ group }) => group);
      groupsSeen = Math.max(groupsSeen, new Set(groups).size);
    }
    expect(groupsSeen).toBe(3 + 3);
    expect(await counts(neighbour)).toEqual(before);
  });

  it('reads a day again where it changed, and no other', async () => {
    const company = await createCompany(database);
    const touches = Array.from({ length: DAYS }, (_, day): PlannedTouch => ({
      name: `message ${day}`,
      person: `person ${day}`,
      day: FIRST_DAY + day,
      channel: 0,
      position: 1,
      industry: 'retail',
      outcome: 0,
      tone: 'direct',
    }));
    await storeTouches(database, company, touches);
    const days = async () =>
      (
        await database.query<{ day: number }>(
          `SELECT sent_day - date '1970-01-01' - ${FIRST_DAY} AS day FROM industry_days WHERE company_id = $1 ORDER BY 1`,
          [company.companyId],
        )
      ).map(({ day }) => day);
    await responders.read(company, await settledThrough(database, company));
    const mature = Array.from({ length: DAYS - 14 }, (_, day) => day);
    expect(await days()).toEqual(mature);
    await storeTouches(database, company, [{ ...(touches[5] as PlannedTouch), outcome: 1 }]);
    expect(await days()).toEqual(mature.filter((day) => day !== 5));
    await storeTouches(database, company, [{ ...(touches[7] as PlannedTouch), campaign: 'autumn' }]);
    expect(await days()).toEqual(mature.filter((day) => day !== 5 && day !== 7));
    await storeTouches(database, company, touches.slice(8));
    expect(await days()).toEqual(mature.filter((day) => day !== 5 && day !== 7));
    await responders.read(company, await settledThrough(database, company));
    expect(await days()).toEqual(mature);
  });

  it('counts what has settled by the run, though messages were sent long after', async () => {
    const company = await createCompany(database);
    const touches = Array.from({ length: 60 }, (_, number): PlannedTouch => ({
      ...{
        name: `to ${number}`,
        person: `person ${number}`,
        day: FIRST_DAY + number,
        channel: 0,
        position: 1,
      },
      ...{ industry: 'retail', outcome: 1, tone: 'direct' },
    }));
    await storeTouches(database, company, touches);
    // A source has been silent since day 44.
    const { industryCounts } = await responders.read(company, new Map([[0, FIRST_DAY + 30]]));
    expect(Math.max(...industryCounts.flatMap(({ n }) => Array.from(n)))).toBe(31);
  });

  it('would be wrong if messages were not followed', async () => {
    const company = await createCompany(database);
    const touch: PlannedTouch = {
      name: 'silent',
      person: 'bert',
      day: FIRST_DAY,
      channel: 0,
      position: 2,
      industry: 'retail',
      outcome: 0,
      tone: 'direct',
    };
    await storeTouches(database, company, [touch]);
    await database.query('ALTER TABLE touches DISABLE TRIGGER follow_touches_updated');
    await storeTouches(database, company, [{ ...touch, outcome: 1 }]);
    await database.query('ALTER TABLE touches ENABLE TRIGGER follow_touches_updated');
    expect(await counts(company)).not.toEqual(await database.query(COUNTS, [company.companyId]));
  });

  it('goes with the last message of a person, in the same transaction', async () => {
    const company = await createCompany(database);
    const anna: PlannedTouch = {
      name: 'to anna',
      person: 'anna',
      day: FIRST_DAY,
      channel: 0,
      position: 2,
      industry: 'falconry',
      outcome: 1,
      tone: 'direct',
    };
    await storeTouches(database, company, [
      anna,
      { ...anna, name: 'again', day: FIRST_DAY + 1 },
      { ...anna, name: 'newest', person: null, industry: null, outcome: 0, day: FIRST_DAY + 30 },
    ]);
    await responders.read(company, await settledThrough(database, company));
    expect([
      (await kept('responders', company)).length,
      (await kept('industry_days', company)).length,
    ]).toEqual([1, 2]);
    await deleteTouches(database, company, ['to anna', 'again']);
    for (const table of ['responders', 'responder_counts', 'industry_days']) {
      expect([table, await kept(table, company)]).toEqual([table, []]);
    }
  });
});
