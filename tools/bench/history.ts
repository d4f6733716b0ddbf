// A company's history as ingestion leaves it: touches, the counts of them, and the newest events. Drawn day by day by
// the generator of libs/statistics, so that memory does not follow the number of messages.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Pool, PoolClient } from 'pg';
import { root } from '../local/settings.mjs';

const require = createRequire(join(root, 'libs/analysis/package.json'));
const {
  DIMENSIONS,
  LEVEL_COUNT,
}: {
  DIMENSIONS: readonly { name: string; levels: readonly string[]; replaces?: string }[];
  LEVEL_COUNT: number;
} = require('@outcomes/contracts');
const persistence = require('@outcomes/persistence');
const { CampaignCellCounts, CampaignDayCounts, campaignKeyOf, CampaignTextCounts, fortnightOf, textShardOf } =
  persistence;
const {
  seededRng,
}: { seededRng: (seed: number) => { next: () => number } } = require('@outcomes/statistics');
const { drawSend, planCompany, weekdayOf } = require('@outcomes/statistics/testing');

const dayMs = 86_400_000;
/** Events older than this are not stored: an analysis reads industries of the newest messages alone. */
export const daysOfEvents = 60;
const longestDelay = 29;
const touchesPerRecipient = 4;
/** Campaigns that run at a time; each lasts a fortnight, so that two years have 5,000. */
const campaigns = 96;
/** Replies that come later are in no count by campaign. */
const maturityDays = (channel: number) => [14, 21][channel] ?? 14;
const industries = ['software', 'manufacturing', 'retail', 'health', 'logistics'];
/** Median 1.2 days until a reply. */
const drawDelay = (uniform: () => number) =>
  Math.floor(1.2 * Math.exp(Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())));

/** Columns of DuckDB's table, and of each line of its file. */
export const scanColumns = [
  'day',
  'channel',
  'step',
  'position',
  'replied',
  'hour',
  'delay',
  'campaign',
  'text',
  ...DIMENSIONS.map(({ name }) => name),
];

/** Counts of one send day and stratum. */
interface Cohort {
  day: number;
  channel: number;
  step: number;
  position: number;
  touches: number;
  replies: number;
  lastOutcomeMs: number;
  levelTouches: Int32Array;
  levelReplies: Int32Array;
  hourTouches: Int32Array;
  hourReplies: Int32Array;
  replyDelays: Int32Array;
  campaignTouches: Int32Array;
  campaignReplies: Int32Array;
}

interface Reply {
  touchId: string;
  cohort: Cohort;
  levels: number[];
  hour: number;
  delay: number;
  day: number;
  campaign: number;
}

/** Counts of a campaign, as ingestion keeps them. */
interface Campaign {
  campaignId: string;
  fortnight: number;
  lastDay: number;
  touches: number;
  cells: any;
  texts: Map<number, any>;
}

interface Plan {
  companyId: string;
  firstDay: number;
  sendsPerDay: number;
  seed?: number;
}

export class History {
  readonly plan: Plan;
  /** Campaigns that replies may still come to. */
  #campaigns: Map<string, Campaign> = new Map();
  /** By the day on which they come. */
  #coming: Map<number, Reply[]> = new Map();
  #drawn = 0;
  /** Cohorts that replies may still come to. */
  recent: Cohort[] = [];
  #rng;
  #model;
  #levels = new Int32Array(DIMENSIONS.length);
  #shares;

  constructor(plan: Plan) {
    this.plan = plan;
    this.#rng = seededRng(plan.seed ?? 1);
    this.#model = planCompany(
      {
        baseRate: 0.034,
        effects: { 'tone.direct': 0.25, 'phrase_following_up.with': -0.25 },
        dimensions: DIMENSIONS.map(({ name, levels, ...dimension }) => ({
          name,
          levels,
          shares: levels.map(() => 1 / levels.length),
          ...('replaces' in dimension && { stratumPart: dimension.replaces }),
          ...(name === 'weekday' && { byDay: true }),
        })),
      },
      this.#rng,
    );
    this.#shares = Float64Array.from(this.#model.strata, ({ share }) => share);
  }

  /**
   * One day: what is sent, and the replies that come to what was sent before.
   * @param day Days since 1970-01-01.
   */
  next(
    day: number,
    sent?: (touch: { id: string; number: number; cohort: Cohort; levels: number[]; hour: number }) => void,
  ): { sent: Cohort[]; replies: Reply[]; changed: Set<Campaign> } {
    const uniform = () => this.#rng.next();
    const changed: Set<Campaign> = new Set();
    const cohorts: Map<number, Cohort> = new Map();
    for (let i = 0; i < this.plan.sendsPerDay; i += 1) {
      const { stratum, logOdds } = drawSend(
        this.#model,
        this.#rng,
        weekdayOf(day),
        this.#levels,
        this.#shares,
      );
      let cohort = cohorts.get(stratum);
      if (!cohort) {
        const { key } = this.#model.strata[stratum];
        cohorts.set(stratum, (cohort = emptyCohort(day, key)));
      }
      const hour = 8 + Math.floor(uniform() * 10);
      const levels = [...this.#levels];
      cohort.touches += 1;
      bump(cohort.hourTouches, hour);
      for (const level of levels) bump(cohort.levelTouches, level);
      const number = (this.#drawn += 1);
      const id = uuidOf(number);
      const campaign = recipientOf(number) % campaigns;
      bump(cohort.campaignTouches, campaign);
      changed.add(this.#countMessage({ cohort, levels, campaign, id }));
      sent?.({ id, number, cohort, levels, hour });
      if (uniform() < 1 / (1 + Math.exp(-logOdds))) {
        const delay = Math.min(longestDelay, drawDelay(uniform));
        const coming = this.#coming.get(day + delay) ?? [];
        coming.push({ touchId: id, cohort, levels, hour, delay, day, campaign });
        this.#coming.set(day + delay, coming);
      }
    }
    const replies = this.#coming.get(day) ?? [];
    this.#coming.delete(day);
    for (const { cohort, levels, hour, delay, campaign } of replies) {
      cohort.replies += 1;
      if (delay <= maturityDays(cohort.channel)) {
        bump(cohort.campaignReplies, campaign);
        changed.add(this.#countReply({ cohort, levels, campaign }));
      }
      bump(cohort.hourReplies, hour);
      bump(cohort.replyDelays, delay);
      cohort.lastOutcomeMs = day * dayMs + 20 * 3_600_000;
      for (const level of levels) bump(cohort.levelReplies, level);
    }
    const inOrder = [...cohorts].sort(([a], [b]) => a - b).map(([, cohort]) => cohort);
    this.recent = [...this.recent.filter((cohort) => cohort.day >= day - longestDelay), ...inOrder];
    return { sent: inOrder, replies, changed };
  }

  /**
   * What the days after these are drawn from, as a process of its own can take it up. They are drawn from a seed of
   * their own, so that they are the same whether this was kept or not.
   */
  keep() {
    const campaigns = [...this.#campaigns.values()].map(({ cells, texts, ...campaign }) => ({
      ...campaign,
      cells: cells.encode(),
      texts: [...texts].map(([shard, counts]) => [shard, counts.encode()]),
    }));
    const { plan, recent } = this;
    // One graph: replies that are still to come share cohorts with each other, and with the recent ones.
    return serialize({ plan, recent, campaigns, coming: this.#coming, drawn: this.#drawn });
  }

  /** @param kept As made by `keep`. */
  static takeUp(kept: Buffer) {
    const { plan, recent, campaigns, coming, drawn } = deserialize(kept);
    const history = new History(plan);
    for (const { cells, texts, ...campaign } of campaigns) {
      history.#campaigns.set(campaign.campaignId, {
        ...campaign,
        cells: CampaignCellCounts.decode(Buffer.from(cells)),
        texts: new Map(
          texts.map(([shard, counts]: [number, Uint8Array]) => [
            shard,
            CampaignTextCounts.decode(Buffer.from(counts)),
          ]),
        ),
      });
    }
    history.recent = recent;
    history.#coming = coming;
    history.#drawn = drawn;
    history.#rng = seededRng((plan.seed ?? 1) + 1);
    return history;
  }

  /** Campaigns that nothing comes to any more; they are forgotten here. */
  takeClosed(day: number): Campaign[] {
    const closed = [...this.#campaigns].filter(([, { lastDay }]) => lastDay + longestDelay < day);
    for (const [id] of closed) this.#campaigns.delete(id);
    return closed.map(([, campaign]) => campaign);
  }

  /** All that are not closed. */
  get open(): Campaign[] {
    return [...this.#campaigns.values()];
  }

  #countMessage({
    cohort,
    levels,
    campaign,
    id,
  }: {
    cohort: Cohort;
    levels: number[];
    campaign: number;
    id: string;
  }): Campaign {
    const counts = this.#campaignOf(cohort.day, campaign);
    counts.touches += 1;
    counts.lastDay = cohort.day;
    counts.cells.add(memberOf(cohort, levels, false), 1);
    const shard = textShardOf(textIdOf(id));
    let texts = counts.texts.get(shard);
    if (!texts) counts.texts.set(shard, (texts = new CampaignTextCounts()));
    texts.add(textIdOf(id), levels, 1);
    return counts;
  }

  #countReply({
    cohort,
    levels,
    campaign,
  }: {
    cohort: Cohort;
    levels: number[];
    campaign: number;
  }): Campaign {
    const counts = this.#campaignOf(cohort.day, campaign);
    counts.cells.add(memberOf(cohort, levels, false), -1);
    counts.cells.add(memberOf(cohort, levels, true), 1);
    return counts;
  }

  #campaignOf(day: number, campaign: number): Campaign {
    const campaignId = campaignIdOf(day, campaign);
    const known = this.#campaigns.get(campaignId);
    if (known) return known;
    const made = {
      ...{ campaignId, fortnight: fortnightOf(day), lastDay: day, touches: 0 },
      ...{ cells: new CampaignCellCounts(), texts: new Map() },
    };
    this.#campaigns.set(campaignId, made);
    return made;
  }
}

function memberOf({ channel, step, position }: Cohort, levels: number[], isReply: boolean) {
  return { channel, step: sequenceStepOf(step), position, levels, variantId: null, isReply };
}

function bump(counts: Int32Array, at: number) {
  counts[at] = (counts[at] ?? 0) + 1;
}

function emptyCohort(
  day: number,
  { channel, step, position }: { channel: number; step: number; position: number },
): Cohort {
  return {
    ...{ day, channel, step, position: position + 1, touches: 0, replies: 0, lastOutcomeMs: day * dayMs },
    levelTouches: new Int32Array(LEVEL_COUNT),
    levelReplies: new Int32Array(LEVEL_COUNT),
    hourTouches: new Int32Array(24),
    hourReplies: new Int32Array(24),
    replyDelays: new Int32Array(longestDelay + 1),
    campaignTouches: new Int32Array(campaigns),
    campaignReplies: new Int32Array(campaigns),
  };
}

function uuidOf(number: number) {
  const hex = createHash('md5').update(String(number)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const timeOf = (day: number, hour: number) => new Date(day * dayMs + hour * 3_600_000).toISOString();
const array = (counts: Int32Array) => `"{${counts.join(',')}}"`;
const campaignIdOf = (day: number, campaign: number) => `campaign-${fortnightOf(day)}-${campaign}`;
/** Every message has a text of its own, which is the most that there can be to keep. */
const textIdOf = (id: string) => Number.parseInt(id.slice(0, 8), 16);
/** @param number The touches of a recipient have neighbouring numbers. */
const recipientOf = (number: number) => Math.floor(number / touchesPerRecipient);
const industryOf = (number: number) => industries[recipientOf(number) % industries.length];
const sequenceStepOf = (step: number) => [0, 1, 3][step] ?? 0;

/** Counts by campaign of some cohorts, one row per channel and day, as ingestion packs them. */
function campaignDays(cohorts: readonly Cohort[]): { channel: number; day: string; counts: any }[] {
  const days = Map.groupBy(cohorts, ({ channel, day }) => `${channel} ${day}`);
  return [...days.values()].map((ofDay) => {
    const counts = new CampaignDayCounts();
    for (const { day, step, position, campaignTouches, campaignReplies } of ofDay) {
      for (let campaign = 0; campaign < campaigns; campaign += 1) {
        if (campaignTouches[campaign] === 0) continue;
        const key = campaignKeyOf(campaignIdOf(day, campaign));
        counts.add(key, step, position, campaignTouches[campaign] ?? 0, campaignReplies[campaign] ?? 0);
      }
    }
    const { channel, day } = ofDay[0] as Cohort;
    return { channel, day: timeOf(day, 0).slice(0, 10), counts: counts.encode() };
  });
}

const cohortLine = (c: Cohort, companyId: string) =>
  `${companyId},${timeOf(c.day, 0).slice(0, 10)},${c.channel},${c.step},${c.position},${c.touches},${c.replies},0,0,` +
  `${c.replies},0,0,${new Date(c.lastOutcomeMs).toISOString()},${array(c.levelTouches)},${array(c.levelReplies)},` +
  `${array(c.hourTouches)},${array(c.hourReplies)},${array(c.replyDelays)}\n`;

function touchLine(
  { plan: { companyId } }: History,
  { id, number, cohort, levels, hour }: Parameters<NonNullable<Parameters<History['next']>[1]>>[0],
) {
  const recipient = recipientOf(number);
  const at = timeOf(cohort.day, hour);
  return (
    `${id},${cohort.channel},${sequenceStepOf(cohort.step)},${cohort.position},${at},"{${levels.join(',')}}",` +
    `r${recipient},t${recipient},${campaignIdOf(cohort.day, recipient % campaigns)},${id.slice(0, 16)},${hour},${companyId},${industryOf(number)}\n`
  );
}

/** Writes a history into files that Postgres and DuckDB read. */
export async function writeHistory(
  history: History,
  days: number,
  folder: string,
): Promise<{ messages: number }> {
  const open = (name: string) => createWriteStream(join(folder, `${name}.csv`));
  const [touches, events, counts] = [open('touches'), open('events'), open('counts')];
  const [replies, scan, byCampaign] = [open('replies'), open('scan'), open('campaigns')];
  const [names, cells, texts] = [open('names'), open('cells'), open('texts')];
  const writeCampaigns = async (closed: readonly Campaign[]) => {
    for (const { campaignId, fortnight, touches: sends, cells: counts, texts: shards } of closed) {
      const key = campaignKeyOf(campaignId);
      names.write(`${companyId},${key},${campaignId},${sends}\n`);
      cells.write(`${companyId},${key},${fortnight},\\x${counts.encode().toString('hex')}\n`);
      for (const [shard, ofShard] of shards) {
        const line = `${companyId},${key},${shard},\\x${ofShard.encode().toString('hex')}\n`;
        if (!texts.write(line)) await once(texts, 'drain');
      }
    }
  };
  const { firstDay, companyId } = history.plan;
  const all: Cohort[] = [];
  let messages = 0;
  for (let day = firstDay; day < firstDay + days; day += 1) {
    let [touchLines, eventLines, scanLines] = ['', '', ''];
    const { sent, replies: came } = history.next(day, (touch) => {
      messages += 1;
      touchLines += touchLine(history, touch);
      const { cohort, hour, levels, id, number } = touch;
      const campaign = fortnightOf(day) * campaigns + (recipientOf(number) % campaigns);
      scanLines +=
        `${day},${cohort.channel},${cohort.step},${cohort.position},${id},${hour},${campaign},${textIdOf(id)},` +
        `${levels.join(',')}\n`;
      if (day >= firstDay + days - daysOfEvents) {
        const at = timeOf(day, hour);
        eventLines += `${companyId},${id},${id},${cohort.channel},0,0,true,${at},${at},r${recipientOf(number)},t,${industryOf(number)}\n`;
      }
    });
    all.push(...sent);
    await writeCampaigns(history.takeClosed(day));
    const replyLines = came.map(({ touchId, delay }) => `${touchId},${delay},${timeOf(day, 20)}\n`).join('');
    for (const [file, lines] of [
      [touches, touchLines],
      [events, eventLines],
      [scan, scanLines],
      [replies, replyLines],
    ] as const) {
      if (!file.write(lines)) await once(file, 'drain');
    }
  }
  for (const cohort of all) if (!counts.write(cohortLine(cohort, companyId))) await once(counts, 'drain');
  for (const row of campaignDays(all)) {
    const line = `${companyId},${row.channel},${row.day},\\x${row.counts.toString('hex')}\n`;
    if (!byCampaign.write(line)) await once(byCampaign, 'drain');
  }
  await writeCampaigns(history.open);
  await Promise.all(
    [touches, events, counts, replies, scan, byCampaign, names, cells, texts].map(async (file) => {
      file.end();
      await once(file, 'finish');
    }),
  );
  return { messages };
}

const countColumns = `company_id, sent_day, channel, step_bucket, position, touches, replies, bounces, unsubscribes,
  opens, meetings, streamed, last_outcome_at, level_touches, level_replies, hour_touches, hour_replies, reply_delays`;

/** Loads the files of `writeHistory` as the owner. */
export async function loadHistory(pool: Pool, folder: string) {
  const client = await pool.connect();
  try {
    const { rows } = await client.query(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'touches' AND indexname <> 'touches_pkey'`,
    );
    await client.query(`CREATE TEMPORARY TABLE sent (touch_id uuid, channel smallint, step smallint, position smallint,
      sent_at timestamptz, levels smallint[], recipient_id text, thread_id text, campaign_id text, hash text,
      hour smallint, company_id uuid, industry text)`);
    await client.query('CREATE TEMPORARY TABLE answered (touch_id uuid, delay int, outcome_at timestamptz)');
    await client.query(`COPY sent FROM '${folder}/touches.csv' CSV`);
    await client.query(`COPY answered FROM '${folder}/replies.csv' CSV`);
    for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
    // So that replies are what is hashed, and messages lie in order of time, as ingestion leaves them.
    await client.query(`ANALYZE sent, answered; SET work_mem = '64MB'`);
    // Without indexes no trigger finds what it looks for.
    await client.query('ALTER TABLE touches DISABLE TRIGGER USER');
    await client.query(`INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence,
        outcome, streamed, sent_hour, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, recipient_hash,
        industry)
      SELECT company_id, touch_id, channel, step, position, 0.9, CASE WHEN answered.touch_id IS NULL THEN 0 ELSE 1 END,
        false, hour, (sent_at AT TIME ZONE 'UTC')::date, sent_at, coalesce(outcome_at, sent_at), levels, recipient_id, thread_id,
        campaign_id, hash, industry
      FROM sent LEFT JOIN answered USING (touch_id)`);
    // Each message has an address of its own, so nobody has answered twice.
    await client.query(`INSERT INTO responders (company_id, recipient_hash, position, confidence, responses, industry)
      SELECT sent.company_id, hash, position, 0.9, 1, industry FROM sent JOIN answered USING (touch_id)`);
    await client.query('RESET work_mem');
    for (const { definition } of rows) await client.query(definition);
    await client.query('ALTER TABLE touches ENABLE TRIGGER USER');
    await client.query('DROP TABLE sent, answered');
    await client.query(`COPY outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome,
      sent_has_time, sent_at, outcome_at, recipient_id, thread_id, industry) FROM '${folder}/events.csv' CSV`);
    await client.query(`COPY cohort_counts (${countColumns}) FROM '${folder}/counts.csv' CSV`);
    await client.query(
      `COPY campaign_days (company_id, channel, sent_day, counts) FROM '${folder}/campaigns.csv' CSV`,
    );
    await client.query(
      `COPY campaigns (company_id, campaign, campaign_id, touches) FROM '${folder}/names.csv' CSV`,
    );
    await client.query(
      `COPY campaign_cells (company_id, campaign, fortnight, counts) FROM '${folder}/cells.csv' CSV`,
    );
    // Each message has a subject of its own, as it has a body.
    for (const table of ['campaign_texts', 'campaign_subjects'])
      await client.query(
        `COPY ${table} (company_id, campaign, shard, counts) FROM '${folder}/texts.csv' CSV`,
      );
    for (const table of ['campaigns', 'campaign_cells', 'campaign_texts', 'campaign_subjects'])
      await client.query(`VACUUM (ANALYZE) ${table}`);
    await client.query('VACUUM (ANALYZE) touches');
    await client.query('VACUUM (ANALYZE) outcome_events');
    await client.query('VACUUM (ANALYZE) cohort_counts');
    await client.query('VACUUM (ANALYZE) campaign_days');
  } finally {
    client.release();
  }
}

/** One more day, as the worker folds it in: the messages, and the replies to earlier ones. */
export async function addDay(pool: Pool, history: History, day: number) {
  const lines: string[] = [];
  const {
    sent,
    replies,
    changed: changedCampaigns,
  } = history.next(day, (touch) => lines.push(touchLine(history, touch)));
  history.takeClosed(day);
  const earlier = new Set(replies.filter((reply) => reply.day < day).map(({ cohort }) => cohort));
  const { companyId } = history.plan;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // As who keeps the counts by campaign in step: they would be void otherwise.
    await client.query(`SET LOCAL app.counts_campaigns = 'subjects'`);
    const touches = lines.map(
      (line) => line.match(/"[^"]*"|[^,\n]+/g)?.map((cell) => cell.replaceAll('"', '')) ?? [],
    );
    const column = (index: number) => touches.map((cells) => cells[index]);
    await client.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_hour, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, recipient_hash,
         industry)
       SELECT $1, id, channel, step, "position", 0.9, 0, false, hour, (at AT TIME ZONE 'UTC')::date, at, at, levels::smallint[],
         recipient, thread, campaign, hash, industry
       FROM unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[], $12::smallint[], $13::text[])
         AS new (id, channel, step, "position", at, levels, recipient, thread, campaign, hash, hour, industry)`,
      [companyId, ...[...Array(11).keys(), 12].map(column)],
    );
    await client.query(
      `UPDATE touches SET outcome = 1, outcome_at = $3 WHERE company_id = $1 AND touch_id = ANY ($2::uuid[])`,
      [companyId, replies.map(({ touchId }) => touchId), timeOf(day, 20)],
    );
    for (const cohort of [...earlier, ...sent]) {
      const values = cohortLine(cohort, companyId)
        .match(/"[^"]*"|[^,\n]+/g)
        ?.map((cell) => cell.replaceAll('"', ''));
      await client.query(
        `INSERT INTO cohort_counts (${countColumns}) VALUES (${values?.map((_, index) => `$${index + 1}`).join(', ')})
         ON CONFLICT (company_id, sent_day, channel, step_bucket, position) DO UPDATE SET replies = excluded.replies,
           opens = excluded.opens, last_outcome_at = excluded.last_outcome_at, level_replies = excluded.level_replies,
           hour_replies = excluded.hour_replies, reply_delays = excluded.reply_delays`,
        values,
      );
    }
    const inTime = replies.filter(({ delay, cohort }) => delay <= maturityDays(cohort.channel));
    const changed = new Set(
      [...inTime.map(({ cohort }) => cohort), ...sent].map((cohort) => `${cohort.channel} ${cohort.day}`),
    );
    const rows = campaignDays(
      history.recent.filter((cohort) => changed.has(`${cohort.channel} ${cohort.day}`)),
    );
    await client.query(
      `INSERT INTO campaign_days (company_id, channel, sent_day, counts)
       SELECT $1, * FROM unnest($2::smallint[], $3::date[], $4::bytea[])
       ON CONFLICT (company_id, channel, sent_day) DO UPDATE SET counts = excluded.counts`,
      [companyId, ...['channel', 'day', 'counts'].map((name) => rows.map((row) => Reflect.get(row, name)))],
    );
    await writeCampaignCounts(client, companyId, [...changedCampaigns]);
    await client.query(
      `INSERT INTO channel_states AS known (company_id, channel, recount_from, rescore_from)
       SELECT $1, channel, max(day) FILTER (WHERE day = $4), min(day)
       FROM unnest($2::smallint[], $3::date[]) AS given (channel, day) GROUP BY channel
       ON CONFLICT (company_id, channel) DO UPDATE SET recount_from = least(known.recount_from, excluded.recount_from),
         rescore_from = least(known.rescore_from, excluded.rescore_from), revision = excluded.revision`,
      [companyId, rows.map((row) => row.channel), rows.map((row) => row.day), timeOf(day, 0).slice(0, 10)],
    );
    await client.query(
      `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, processed_at)
       VALUES ($1, gen_random_uuid(), '{}', $2, $2)`,
      [companyId, timeOf(day, 23)],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function writeCampaignCounts(client: PoolClient, companyId: string, changed: readonly Campaign[]) {
  const keys = changed.map(({ campaignId }) => campaignKeyOf(campaignId));
  await client.query(
    `INSERT INTO campaigns (company_id, campaign, campaign_id, touches)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::integer[])
     ON CONFLICT (company_id, campaign) DO UPDATE SET touches = excluded.touches, revision = excluded.revision`,
    [companyId, keys, changed.map(({ campaignId }) => campaignId), changed.map(({ touches }) => touches)],
  );
  await client.query(
    `INSERT INTO campaign_cells (company_id, campaign, fortnight, counts)
     SELECT $1, * FROM unnest($2::bigint[], $3::integer[], $4::bytea[])
     ON CONFLICT (company_id, campaign, fortnight) DO UPDATE SET counts = excluded.counts`,
    [companyId, keys, changed.map(({ fortnight }) => fortnight), changed.map(({ cells }) => cells.encode())],
  );
  const shards = changed.flatMap(({ campaignId, texts }) =>
    [...texts].map(([shard, counts]) => ({ key: campaignKeyOf(campaignId), shard, counts: counts.encode() })),
  );
  for (const table of ['campaign_texts', 'campaign_subjects'])
    await client.query(
      `INSERT INTO ${table} (company_id, campaign, shard, counts)
       SELECT $1, * FROM unnest($2::bigint[], $3::smallint[], $4::bytea[])
       ON CONFLICT (company_id, campaign, shard) DO UPDATE SET counts = excluded.counts`,
      [
        companyId,
        shards.map(({ key }) => key),
        shards.map(({ shard }) => shard),
        shards.map(({ counts }) => counts),
      ],
    );
}
