import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_KINDS } from '@outcomes/contracts';
import type { SourceRecord } from '@outcomes/source-profiles';
import { PROFILES, recipientIdOf } from '@outcomes/source-profiles';
import { EXAMPLES, ofAnother, routeOf, spoiltRecords } from '@outcomes/source-profiles/testing';
import type { Tenant } from '@outcomes/testing';
import { ConsoleStage, withoutChromium } from './console-stage';
import { admit } from './console-visitor';
import { Installation } from './installation';

const STEPS = { '198394': 0, '12': 1 };
const UNTIL = '2026-01-31T00:00:00Z';
const [BOUNCED, UNSUBSCRIBED] = [EVENT_KINDS.indexOf('bounced'), EVENT_KINDS.indexOf('unsubscribed')];

interface OneRecord {
  readonly tool: string;
  readonly route: string;
  readonly record: SourceRecord;
  /** Of its person; the whole record has the first part of it and `-0`. */
  readonly name: string;
  readonly namesPerson: boolean;
}

/** An address that RFC 5321 does not take, and a subject that Postgres does not: the contract refuses both. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/@example\.com/g, '@exämple.com'],
  [/(?<=subject":")/gi, '\\ud83d'],
];

/**
 * Every example of every profile, as it is, with each of its values spoilt, and with what the contract refuses, each about
 * a person of its own.
 */
const RECORDS: readonly OneRecord[] = EXAMPLES.flatMap(({ tool, route: name, records }, at) =>
  records.flatMap((record, place) => {
    const route = routeOf(tool, name);
    const nameOf = (way: number) => `${at}-${place}-${way}`;
    const of = (way: number) => ofAnother(route, record, nameOf(way));
    const whole = { record: of(0), namesPerson: true };
    const ways = spoiltRecords(route, record).flatMap(
      (_, way) => spoiltRecords(route, of(way + 1))[way] ?? [],
    );
    const refused = REFUSED.map(([found, text], way) => ({
      record: JSON.parse(JSON.stringify(of(ways.length + 1 + way)).replaceAll(found, text)) as SourceRecord,
      namesPerson: true,
    }));
    return [whole, ...ways, ...refused].map(({ record: made, namesPerson }, way) => ({
      ...{ tool, route: name, record: made, name: nameOf(way), namesPerson },
    }));
  }),
);
const isOf = ({ tool, route }: OneRecord, medium: string) =>
  routeOf(tool, route).media.some((one) => one === medium);
const contextOf = ({ tool, route }: OneRecord) =>
  EXAMPLES.find((example) => example.tool === tool && example.route === route)?.context ?? {};

/** Names of records, by what the service calls their people: by an address, or by an id of the tool. */
const NAMES = new Map(
  RECORDS.flatMap(({ tool, record, name }) => {
    const addresses = JSON.stringify(record).match(/\w+\.[\d-]+@ex[aä]mple\.com/gi) ?? [];
    return [`${tool}:${name}`, ...addresses.map((address) => recipientIdOf(address.toLowerCase()))].map(
      (person) => [person, name] as const,
    );
  }),
);

/** Who bounced and who opted out, as events say it, whatever they say of when and of which message. */
async function stuck({ database }: Installation, { companyId }: Tenant): Promise<string[]> {
  const rows = await database.query<{ person: string; said: string }>(
    `SELECT recipient_id AS person, concat_ws(' ', outcome, metadata ->> 'complaint', metadata ->> 'bounce') AS said
     FROM outcome_events WHERE company_id = $1 AND outcome IN ($2, $3)`,
    [companyId, BOUNCED, UNSUBSCRIBED],
  );
  return [...new Set(rows.map(({ person, said }) => `${NAMES.get(person) ?? person} ${said}`))].sort();
}

/** Facts of whole records that the same record does not tell when it is spoilt. */
function lost(records: readonly OneRecord[], told: readonly string[]): string[] {
  return records.flatMap(({ name, namesPerson }) => {
    const whole = name.replace(/\d+$/, '0');
    const facts = told.filter((fact) => namesPerson && fact.startsWith(`${whole} `));
    return facts.map((fact) => fact.replace(whole, name)).filter((fact) => !told.includes(fact));
  });
}

describe('who bounced and who opted out, in every example of every profile, whole and spoilt', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'outcomes-sticking-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const importFile = async (
    installation: Installation,
    { apiKey }: Tenant,
    name: string,
    text: string,
    ...more: readonly string[]
  ) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const state = ['--state-folder', join(folder, 'state')];
    return installation.cli('import', file, '--key', apiKey, '--no-wait', ...state, ...more);
  };

  describe('by webhook and by file', () => {
    const tools = PROFILES.filter(({ webhook }) => webhook).map(({ tool }) => tool);
    let installation: Installation;
    let ingestUrl: string;

    beforeAll(async () => {
      const secret = randomBytes(32).toString('base64');
      installation = await Installation.create({ environment: { SOURCE_SECRETS_KEY: secret } });
      ingestUrl = (await installation.start('ingest-api')).url;
    }, 120_000);
    afterAll(() => installation?.stop());

    interface Connected {
      readonly sourceId: string;
      readonly path: string;
      readonly header: string | null;
      readonly secret: string;
      readonly authentication: string;
    }
    const deliver = async (
      { path, header, secret, authentication }: Connected,
      records: readonly object[],
    ) => {
      const body = JSON.stringify(records);
      const algorithm = /^hmac-(.*)-hex$/.exec(authentication)?.[1];
      const proof = algorithm ? createHmac(algorithm, secret).update(body).digest('hex') : secret;
      const response = await fetch(`${ingestUrl}${path}`, {
        ...{ method: 'POST', body },
        headers: { 'Content-Type': 'application/json', ...(header && { [header]: proof }) },
      });
      expect(response.status).toBe(202);
    };

    it.each(tools)(
      'is the same: %s',
      async (tool) => {
        const [byWebhook, byFile] = [
          await installation.addTenant({ name: 'By webhook' }),
          await installation.addTenant({ name: 'By file' }),
        ];
        const chosen = RECORDS.filter((one) => one.tool === tool && !isOf(one, 'csv'));
        const campaign = tool === 'smartlead' ? ['--campaign', '111'] : [];
        const args = ['--company', byWebhook.companyId, '--tool', tool, ...campaign];
        const source = await installation.cli<Connected>('sources', 'create', ...args);
        await installation.database.query('UPDATE sources SET steps = $2 WHERE source_id = $1', [
          source.sourceId,
          STEPS,
        ]);
        const records = chosen.map(({ record }) => record);
        for (let from = 0; from < records.length; from += 500)
          await deliver(source, records.slice(from, from + 500));
        const steps = Object.entries(STEPS).map(([id, step]) => `${id}=${step}`);
        const lines = records.map((record) => JSON.stringify(record)).join('\n');
        const ways = ['--from', tool, '--steps', steps.join(), ...campaign];
        await importFile(installation, byFile, `${tool}.json`, lines, ...ways);
        const told = await stuck(installation, byWebhook);
        expect(told.length).toBeGreaterThan(5);
        expect(lost(chosen, told)).toEqual([]);
        expect(await stuck(installation, byFile)).toEqual(told);
      },
      60_000,
    );
  });

  describe('by file and in the console', () => {
    const missing = withoutChromium();
    if (missing) {
      it('needs Chromium', missing);
      return;
    }
    let stage: ConsoleStage;
    beforeAll(async () => {
      stage = await ConsoleStage.set();
      await stage.installation.start('ingest-api');
    }, 120_000);
    afterAll(() => stage?.clear());

    const files = Map.groupBy(
      RECORDS.filter((one) => isOf(one, 'csv')),
      ({ tool, route }) => `${tool}, ${route}`,
    );
    it.each([...files])(
      'is the same: %s',
      async (_name, rows) => {
        const { installation } = stage;
        const [byFile, byConsole] = [
          await installation.addTenant({ name: 'By file' }),
          await installation.addTenant({ name: 'In the console' }),
        ];
        const [first] = rows;
        if (!first) throw new Error('no rows');
        const { timeZone = 'UTC' } = contextOf(first);
        const columns = [...new Set(rows.flatMap(({ record }) => Object.keys(record)))];
        const cells = [
          columns,
          ...rows.map(({ record }) => columns.map((column) => (record[column] ?? '') as string)),
        ];
        const text = cells.map((line) => line.join(',')).join('\n');
        const given = ['--time-zone', timeZone, '--campaign', '111', '--observed-until', UNTIL];
        await importFile(installation, byFile, 'rows.csv', text, ...given);
        await admit(installation, byConsole.companyId, stage.owner.email);
        const page = await stage.opened();
        await stage.settled(page, 'data/import', byConsole.companyId);
        const buffer = Buffer.from(text);
        await page.getByLabel('CSV file').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
        await page.getByLabel('Time zone for times without one').fill(timeZone);
        await page.getByLabel('Campaign id, if rows do not have it').fill('111');
        await page.getByLabel('Time of the export, for rows without a time').fill(UNTIL.slice(0, 16));
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByText('All is sent.').waitFor();
        const told = await stuck(installation, byFile);
        expect(told.length).toBeGreaterThan(0);
        expect(lost(rows, told)).toEqual([]);
        expect(await stuck(installation, byConsole)).toEqual(told);
        await page.leave();
      },
      60_000,
    );
  });
});
