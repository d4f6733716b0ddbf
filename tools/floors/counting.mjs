// @ts-check
// Works stored events into messages and counts: 20,000 events a transaction, each step one statement over all of
// them, with nothing but pg. What a text means is found by the functions of the service, which both have to call, and
// counts by campaign are added up and packed by its classes. Who opted out or bounced is listed, as a recipient and as an
// address.
// Without tenants, row-level security, triggers, replies from other addresses, people who share an address, or anything
// that can go wrong.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

const root = resolve(import.meta.dirname, '../..');
const require = createRequire(join(root, 'libs/ingestion/package.json'));
/** @type {any} */
const { LEVEL_COUNT, positionOf, stepBucketOf } = require('@outcomes/contracts');
/** @type {any} */
const persistence = require('@outcomes/persistence');
const { CampaignCellCounts, CampaignDayCounts, CampaignOutcomeCounts, CampaignTextCounts } = persistence;
/** @param {string} name @returns {Promise<any>} */
const part = (name) => import(pathToFileURL(join(root, 'libs/ingestion/dist', name)).href);
const { extractLevels, readTexts } = await part('features/extract-levels.js');
const { textIdsOf } = await part('features/text-id.js');
const { CampaignDeltas } = await part('touches/campaign-deltas.js');
const { readerNames } = await part('features/reader-names.js');
const { wallClock } = await part('features/wall-clock.js');

const eventsPerGroup = 20_000;
const dayMs = 86_400_000;
/** No response, responded, bounced, unsubscribed: the strongest stands. */
const strengths = [0, 2, 1, 3];
const streamedWithin = 7 * dayMs;
const client = new pg.Client({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'floor',
});
await client.connect();

const ms = (/** @type {string} */ column) => `round(date_part('epoch', ${column}) * 1000)`;
/**
 * Every event of the messages that the given ones are about. The company stands in a subquery: Postgres plans for an
 * average one then, and looks rows up by their ids. Where it has no statistics of the given one it takes it to have one
 * row, and reads all that it has for every id.
 */
const readEvents = `
  SELECT touch_id, event_id, channel, sequence_step, outcome, tone, sent_offset_minutes, sent_has_time, word_count,
    ${ms('sent_at')} AS sent, ${ms('outcome_at')} AS outcome_at, ${ms('ingested_at')} AS ingested_at, recipient_id,
    thread_id, campaign_id, recipient_hash, email_domain, recipient_position, subject, body,
    CASE WHEN body IS NULL THEN body_excerpt END AS body_excerpt,
    coalesce(metadata @> '{"opened": true}', false) AS opened,
    coalesce(metadata @> '{"meeting_booked": true}', false) AS meeting_booked,
    metadata ->> 'first_name' AS first_name, metadata ->> 'company' AS company, industry
  FROM (SELECT DISTINCT recipient_id AS recipient, touch_id AS touch FROM unnest($2::uuid[]) AS given (id)
    CROSS JOIN LATERAL (SELECT recipient_id, touch_id FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND event_id = given.id OFFSET 0) AS found) AS concerned
  CROSS JOIN LATERAL (SELECT * FROM outcome_events
    WHERE company_id = (SELECT $1::uuid) AND recipient_id = recipient AND touch_id = touch OFFSET 0) AS known
  ORDER BY sent_at, outcome_at, event_id`;
const readTouches = `
  SELECT touch_id, channel, sequence_step, position, outcome, opened, meeting_booked, streamed, sent_hour,
    sent_day::text AS sent_day, ${ms('sent_at')} AS sent, ${ms('outcome_at')} AS outcome_at, levels, campaign_id,
    text_id AS "textId", subject_id AS "subjectId", replied_at, unsubscribed_at
  FROM unnest($2::uuid[]) AS given (id)
  CROSS JOIN LATERAL (SELECT * FROM floor_touches WHERE company_id = (SELECT $1::uuid) AND touch_id = given.id OFFSET 0) AS known`;

const time = (/** @type {number | null} */ at) => at && new Date(at).toISOString();
/** @type {[name: string, type: string, read: (touch: any) => unknown][]} */
const touchColumns = [
  ['touch_id', 'uuid', (touch) => touch.touch_id],
  ['channel', 'smallint', (touch) => touch.channel],
  ['sequence_step', 'smallint', (touch) => touch.sequence_step],
  ['position', 'smallint', (touch) => touch.position],
  ['position_confidence', 'real', (touch) => touch.position_confidence],
  ['outcome', 'smallint', (touch) => touch.outcome],
  ['opened', 'boolean', (touch) => touch.opened],
  ['meeting_booked', 'boolean', (touch) => touch.meeting_booked],
  ['streamed', 'boolean', (touch) => touch.streamed],
  ['sent_hour', 'smallint', (touch) => touch.sent_hour],
  ['sent_day', 'date', (touch) => touch.sent_day],
  ['sent_at', 'timestamptz', (touch) => time(touch.sent)],
  ['outcome_at', 'timestamptz', (touch) => time(touch.outcome_at)],
  ['levels', 'text', (touch) => `{${touch.levels.join(',')}}`],
  ['recipient_id', 'text', (touch) => touch.recipient_id],
  ['thread_id', 'text', (touch) => touch.thread_id],
  ['campaign_id', 'text', (touch) => touch.campaign_id],
  ['recipient_hash', 'text', (touch) => touch.recipient_hash],
  ['recipient_position', 'text', (touch) => touch.recipient_position],
  ['industry', 'text', (touch) => touch.industry],
  ['outcome_is_exact', 'boolean', () => true],
  ['opened_at', 'timestamptz', (touch) => time(touch.opened_at)],
  ['meeting_booked_at', 'timestamptz', (touch) => time(touch.meeting_booked_at)],
  ['clicked_at', 'timestamptz', () => null],
  ['auto_replied_at', 'timestamptz', () => null],
  ['propensity', 'real', () => null],
  ['variant_id', 'text', () => null],
  ['silent_at', 'timestamptz', (touch) => time(touch.facts[0])],
  ['replied_at', 'timestamptz', (touch) => time(touch.facts[1])],
  ['bounced_at', 'timestamptz', (touch) => time(touch.facts[2])],
  ['unsubscribed_at', 'timestamptz', (touch) => time(touch.facts[3])],
  ['text_id', 'integer', (touch) => touch.textId],
  ['subject_id', 'integer', (touch) => touch.subjectId],
  ['counted_in', 'integer', () => 1],
];
const sums = ['touches', 'replies', 'bounces', 'unsubscribes', 'opens', 'meetings', 'streamed'];
const lists = ['level_touches', 'level_replies', 'hour_touches', 'hour_replies', 'reply_delays'];
const key = ['sent_day', 'channel', 'step_bucket', 'position'];
/** @type {[name: string, type: string, read: (stratum: any) => unknown][]} */
const countColumns = [
  ['sent_day', 'date', (stratum) => stratum.key[0]],
  ...key.slice(1).map(
    /** @returns {[string, string, (stratum: any) => unknown]} */
    (name, at) => [name, 'smallint', (stratum) => stratum.key[at + 1]],
  ),
  ...sums.map(
    /** @returns {[string, string, (stratum: any) => unknown]} */
    (name) => [name, 'integer', (stratum) => stratum[name]],
  ),
  ['last_outcome_at', 'timestamptz', (stratum) => time(stratum.last)],
  ...lists.map(
    /** @returns {[string, string, (stratum: any) => unknown]} */
    (name) => [name, 'text', (stratum) => `{${stratum[name].join(',')}}`],
  ),
];
const names = (/** @type {[string, ...unknown[]][]} */ columns) => columns.map(([name]) => name).join(', ');
const touchNames = names(touchColumns);
const write = `
  WITH written AS (
    INSERT INTO floor_touches (company_id, ${touchNames})
    SELECT $1, ${touchNames.replace(' levels,', ' levels::smallint[],')}
    FROM unnest(${touchColumns.map(([, type], at) => `$${at + 2}::${type}[]`).join(', ')}) AS given (${touchNames})
    ON CONFLICT (company_id, touch_id) DO UPDATE SET ${touchColumns
      .slice(1)
      .map(([name]) => `${name} = excluded.${name}`)
      .join(', ')})
  INSERT INTO floor_counts AS known (company_id, ${names(countColumns)})
  SELECT $1, ${countColumns.map(([name]) => (lists.includes(name) ? `${name}::integer[]` : name)).join(', ')}
  FROM unnest(${countColumns.map(([, type], at) => `$${at + 2 + touchColumns.length}::${type}[]`).join(', ')})
    AS given (${names(countColumns)})
  ON CONFLICT (company_id, ${key.join(', ')}) DO UPDATE SET
    ${sums.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')},
    last_outcome_at = greatest(known.last_outcome_at, excluded.last_outcome_at),
    ${lists.map((name) => `${name} = add_counts(known.${name}, excluded.${name})`).join(', ')}`;

/** @type {[table: string, columns: [[string, string], [string, string]], counts: any, part: string][]} */
const packedTables = [
  [
    'floor_days',
    [
      ['channel', 'smallint'],
      ['sent_day', 'date'],
    ],
    CampaignDayCounts,
    'days',
  ],
  [
    'floor_cells',
    [
      ['campaign', 'bigint'],
      ['fortnight', 'integer'],
    ],
    CampaignCellCounts,
    'cells',
  ],
  [
    'floor_outcomes',
    [
      ['campaign', 'bigint'],
      ['fortnight', 'integer'],
    ],
    CampaignOutcomeCounts,
    'outcomes',
  ],
  [
    'floor_texts',
    [
      ['campaign', 'bigint'],
      ['shard', 'smallint'],
    ],
    CampaignTextCounts,
    'texts',
  ],
  [
    'floor_subjects',
    [
      ['campaign', 'bigint'],
      ['shard', 'smallint'],
    ],
    CampaignTextCounts,
    'subjects',
  ],
];

/** @param {string} companyId @param {any} deltas */
async function countCampaigns(companyId, deltas) {
  const { campaigns } = deltas;
  await client.query(
    `INSERT INTO floor_campaigns AS known (company_id, campaign, campaign_id, touches)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::integer[])
     ON CONFLICT (company_id, campaign) DO UPDATE SET touches = known.touches + excluded.touches`,
    [
      companyId,
      ...['campaign', 'campaignId', 'touches'].map((name) =>
        campaigns.map((/** @type {any} */ of) => of[name]),
      ),
    ],
  );
  for (const [table, [[a, aType], [b, bType]], packed, part] of packedTables) {
    const changes = deltas[part];
    const keys = [0, 1].map((at) => changes.map((/** @type {any} */ { key }) => key[at]));
    const { rows } = await client.query(
      `SELECT place::integer - 1 AS place, counts
       FROM unnest($2::${aType}[], $3::${bType}[]) WITH ORDINALITY AS given (a, b, place) CROSS JOIN LATERAL (
         SELECT counts FROM ${table} WHERE company_id = (SELECT $1::uuid) AND ${a} = a AND ${b} = b OFFSET 0) AS found`,
      [companyId, ...keys],
    );
    for (const { place, counts } of rows) changes[place].counts.merge(packed.decode(counts));
    await client.query(
      `INSERT INTO ${table} (company_id, ${a}, ${b}, counts)
       SELECT $1, * FROM unnest($2::${aType}[], $3::${bType}[], $4::bytea[])
       ON CONFLICT (company_id, ${a}, ${b}) DO UPDATE SET counts = excluded.counts`,
      [companyId, ...keys, changes.map((/** @type {any} */ { counts }) => counts.encode())],
    );
  }
}

/** Recipients, then addresses. @type {[key: string, column: string, stated: string, predicate: string][]} */
const listedKinds = [
  ['recipient_sha', 'recipient_id', `encode(sha256(convert_to(id, 'UTF8')), 'hex')`, ''],
  ['recipient_hash', 'recipient_hash', 'id', 'AND recipient_hash IS NOT NULL'],
];
/** The events that speak for or against writing to one of `given (id)`, by the columns of the partial indexes. */
const said = (/** @type {string} */ column, /** @type {string} */ predicate) => `
  CROSS JOIN LATERAL (
    SELECT min(outcome_at) FILTER (WHERE outcome = 3) AS unsubscribed_at,
      max(outcome_at) FILTER (WHERE outcome = 2) AS bounced_at,
      max(outcome_at) FILTER (WHERE outcome = 1) AS replied_at,
      (array_agg(channel ORDER BY outcome_at) FILTER (WHERE outcome = 3))[1] AS unsubscribed_on,
      (array_agg(channel ORDER BY outcome_at) FILTER (WHERE outcome = 2))[1] AS bounced_on
    FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND ${column} = given.id AND outcome IN (1, 2, 3) ${predicate}
  ) AS said`;
/** $1 company, $2 recipients or addresses that opted out or bounced, $3 where their numbers begin. */
const listStatements = listedKinds.map(
  ([key, column, stated, predicate]) => `
  INSERT INTO floor_suppressions AS known (company_id, suppression_id, change_no, change, reason, bounce, ${key},
    recipient_id, channel, since, changed_at)
  SELECT $1, gen_random_uuid(), $3 + row_number() OVER (), 'added',
    CASE WHEN unsubscribed_at IS NULL THEN 'bounced' ELSE 'unsubscribed' END,
    CASE WHEN unsubscribed_at IS NULL THEN 'unknown' END, ${stated},
    ${column === 'recipient_id' ? 'id' : 'NULL'},
    CASE WHEN unsubscribed_at IS NULL THEN bounced_on ELSE unsubscribed_on END,
    coalesce(unsubscribed_at, bounced_at), now()
  FROM unnest($2::text[]) AS given (id) ${said(column, predicate)}
  WHERE unsubscribed_at IS NOT NULL OR bounced_at >= coalesce(replied_at, '-infinity')
  ON CONFLICT (company_id, ${key}) WHERE ${key} IS NOT NULL DO UPDATE SET change_no = excluded.change_no,
    change = excluded.change, reason = excluded.reason, bounce = excluded.bounce, since = excluded.since,
    changed_at = excluded.changed_at, channel = coalesce(excluded.channel, known.channel)
  WHERE (known.change, known.reason) <> (excluded.change, excluded.reason)`,
);
/** $1 company, $2 recipients or addresses who replied, $3 where their numbers begin. */
const liftStatements = listedKinds.map(
  ([key, column, stated, predicate]) => `
  UPDATE floor_suppressions AS known SET change = 'removed', change_no = $3 + place, changed_at = now(),
    since = now()
  FROM (
    SELECT ${stated} AS key, row_number() OVER () AS place FROM unnest($2::text[]) AS given (id)
    WHERE (SELECT change = 'added' AND reason = 'bounced' FROM floor_suppressions
      WHERE company_id = (SELECT $1::uuid) AND ${key} = ${stated}) AND
      (SELECT bounced_at < replied_at FROM (SELECT) AS once ${said(column, predicate)})
  ) AS lifted WHERE company_id = (SELECT $1::uuid) AND known.${key} = lifted.key`,
);
let changes = 0;

/**
 * Lists who opted out or bounced, and takes off it whose bounce a later reply lifts.
 * @param {string} companyId
 * @param {any[]} events Those of the group.
 */
async function list(companyId, events) {
  const idsOf = (/** @type {string} */ column, /** @type {(outcome: number) => boolean} */ isMeant) => [
    ...new Set(events.flatMap((event) => (isMeant(event.outcome) ? (event[column] ?? []) : []))),
  ];
  for (const [at, [, column]] of listedKinds.entries()) {
    for (const [statement, ids] of /** @type {const} */ ([
      [listStatements[at], idsOf(column, (outcome) => outcome > 1)],
      [liftStatements[at], idsOf(column, (outcome) => outcome === 1)],
    ])) {
      await client.query(statement ?? '', [companyId, ids, changes]);
      changes += ids.length;
    }
  }
}

/** A message as the classes of the service know it. @param {any} touch */
function counted(touch) {
  return {
    ...{ channel: touch.channel, sequenceStep: touch.sequence_step, position: touch.position },
    ...{ levels: touch.levels, variantId: null, sentDay: touch.sent_day, outcome: touch.outcome },
    ...{ outcomeIsExact: true, outcomeAtMs: touch.outcome_at, sentAtMs: touch.sent },
    ...{ campaignId: touch.campaign_id, textId: touch.textId, subjectId: touch.subjectId },
    ...{ repliedAtMs: touch.replied_at, unsubscribedAtMs: touch.unsubscribed_at },
  };
}

/** @param {string} companyId @returns {Promise<{ events: number, features: number }>} CPU microseconds in `features`. */
async function count(companyId) {
  const { rows: batches } = await client.query(
    'SELECT batch_id, event_ids FROM floor_batches WHERE company_id = $1 ORDER BY received_at, batch_id',
    [companyId],
  );
  let [events, features] = [0, 0];
  while (batches.length > 0) {
    /** @type {string[]} */
    const ids = [];
    while (batches[0] && ids.length + batches[0].event_ids.length <= eventsPerGroup)
      ids.push(...batches.shift().event_ids);
    await client.query('BEGIN');
    features += await countGroup(companyId, ids);
    await client.query('COMMIT');
    events += ids.length;
  }
  return { events, features };
}

/** @param {string} companyId @param {string[]} ids */
async function countGroup(companyId, ids) {
  const { rows } = await client.query(readEvents, [companyId, ids]);
  const messages = [...Map.groupBy(rows, ({ touch_id }) => touch_id).values()].map(messageOf);
  const given = new Set(ids);
  const known = messages.filter(({ events }) => isKnown(events, given));
  const before = process.cpuUsage();
  for (const message of messages) describe(message);
  const { user, system } = process.cpuUsage(before);
  /** @type {Map<string, any>} */
  const strata = new Map();
  const campaigns = new CampaignDeltas();
  for (const message of messages) {
    add(strata, message, 1);
    campaigns.add(counted(message));
  }
  if (known.length > 0) {
    const stored = await client.query(readTouches, [companyId, known.map(({ touch_id }) => touch_id)]);
    for (const touch of stored.rows) {
      add(strata, touch, -1);
      campaigns.remove(counted(touch));
    }
  }
  await client.query(write, [
    companyId,
    ...touchColumns.map(([, , read]) => messages.map(read)),
    ...countColumns.map(([, , read]) => Array.from(strata.values(), read)),
  ]);
  await countCampaigns(companyId, campaigns);
  await list(
    companyId,
    rows.filter(({ event_id }) => given.has(event_id)),
  );
  return user + system;
}

/** Whether an earlier group had events of the message, too. @param {any[]} events @param {Set<string>} given */
function isKnown(events, given) {
  return events.some(({ event_id }) => !given.has(event_id));
}

/** @param {any[]} events Of one message, in order. */
function messageOf(events) {
  const message = { ...events[0], events, streamed: false, facts: [null, null, null, null] };
  message.opened_at = message.meeting_booked_at = null;
  let silentUntil = -Infinity;
  for (const event of events) {
    const { outcome, outcome_at } = event;
    for (const part of parts) message[part] ??= event[part];
    message.streamed ||= event.ingested_at - outcome_at <= streamedWithin;
    message.facts[outcome] = earlier(message.facts[outcome], outcome_at);
    if (event.opened) message.opened_at = earlier(message.opened_at, outcome_at);
    if (event.meeting_booked) message.meeting_booked_at = earlier(message.meeting_booked_at, outcome_at);
    if (outcome === 0) silentUntil = Math.max(silentUntil, outcome_at);
    if ((strengths[outcome] ?? 0) > (strengths[message.outcome] ?? 0)) message.outcome = outcome;
  }
  message.replied_at = message.facts[1];
  message.unsubscribed_at = message.facts[3];
  message.opened = message.opened_at !== null;
  message.meeting_booked = message.meeting_booked_at !== null;
  message.outcome_at = message.outcome === 0 ? silentUntil : message.facts[message.outcome];
  return message;
}

/** @param {number | null} a @param {number} b */
function earlier(a, b) {
  return a === null ? b : Math.min(a, b);
}

const parts = [
  'tone',
  'word_count',
  'campaign_id',
  'recipient_hash',
  'email_domain',
  'recipient_position',
].concat(['subject', 'body', 'body_excerpt', 'first_name', 'company', 'industry']);

/** @param {any} message */
function describe(message) {
  const clock = wallClock(message.sent, message.sent_offset_minutes, message.sent_has_time, 'UTC');
  const { position, confidence } = positionOf(message.recipient_position);
  message.position = position;
  message.position_confidence = confidence;
  message.sent_day = clock.day;
  message.sent_hour = clock.hour;
  const names = readerNames(message.first_name, message.company, message.email_domain);
  const known = {
    ...{ channel: message.channel, sequenceStep: message.sequence_step, tone: message.tone },
    ...{ sentAtMs: message.sent, sentOffsetMinutes: message.sent_offset_minutes },
    ...{ sentHasTime: message.sent_has_time, wordCount: message.word_count, subject: message.subject },
    ...{ body: message.body, bodyExcerpt: message.body_excerpt, jobTitle: message.recipient_position },
    readerNames: names,
  };
  const texts = readTexts(known);
  message.levels = extractLevels(known, clock, texts);
  const place = { campaignId: message.campaign_id, step: message.sequence_step, variantId: null };
  Object.assign(message, textIdsOf(texts, names, place));
}

/** @param {Map<string, any>} strata @param {any} touch @param {1 | -1} sign */
function add(strata, touch, sign) {
  const parts = [touch.sent_day, touch.channel, stepBucketOf(touch.sequence_step), touch.position];
  const name = parts.join(' ');
  let stratum = strata.get(name);
  if (!stratum) strata.set(name, (stratum = emptyStratum(parts)));
  const replied = touch.outcome === 1;
  stratum.touches += sign;
  if (replied) stratum.replies += sign;
  if (touch.outcome === 2) stratum.bounces += sign;
  if (touch.outcome === 3) stratum.unsubscribes += sign;
  if (touch.opened) stratum.opens += sign;
  if (touch.meeting_booked) stratum.meetings += sign;
  if (touch.streamed) stratum.streamed += sign;
  stratum.last = Math.max(stratum.last, touch.outcome_at);
  for (const level of touch.levels) {
    stratum.level_touches[level] += sign;
    if (replied) stratum.level_replies[level] += sign;
  }
  if (touch.sent_hour !== null) {
    stratum.hour_touches[touch.sent_hour] += sign;
    if (replied) stratum.hour_replies[touch.sent_hour] += sign;
  }
  if (!replied) return;
  const delay = Math.floor((touch.outcome_at - touch.sent) / dayMs);
  stratum.reply_delays[Math.min(Math.max(delay, 0), 29)] += sign;
}

/** @param {unknown[]} parts */
function emptyStratum(parts) {
  return {
    ...{ key: parts, last: 0, ...Object.fromEntries(sums.map((name) => [name, 0])) },
    ...{ level_touches: new Int32Array(LEVEL_COUNT), level_replies: new Int32Array(LEVEL_COUNT) },
    ...{
      hour_touches: new Int32Array(24),
      hour_replies: new Int32Array(24),
      reply_delays: new Int32Array(30),
    },
  };
}

console.log('answer');
for await (const line of createInterface({ input: process.stdin })) {
  console.log(`answer ${JSON.stringify(await count(JSON.parse(line).companyId))}`);
}
await client.end();
