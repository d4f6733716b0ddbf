import {
  detectByColumns,
  FileMapping,
  namedEvent,
  profileOf,
  PROFILES,
  ROW_FAULTS,
} from '@outcomes/source-profiles';
import type { FaultCode, FileFault } from '@outcomes/source-profiles';
import { BatchSender } from './batch-sender.query';
import { csvRows, type CsvRow } from './csv-rows.query';
import { isOwnForm, type Asked, type OfJob, type Plan, type Said } from './import-plan.query';

const SHOWN_ROWS = 3;
/** What to do after a failure on the way: events are known by their ids. */
const SEND_AGAIN = 'Send the same file again later: what was accepted is kept, and nothing is counted twice.';

type Say = (said: Said) => void;

addEventListener('message', ({ data }: MessageEvent<Asked & OfJob>) => {
  const say: Say = (said) => postMessage({ ...said, job: data.job } satisfies Said & OfJob);
  if (data.kind === 'send') void send(data.file, data.company, data.plan, say);
  else look(data.file, say).catch((error: unknown) => say({ kind: 'failed', message: messageOf(error) }));
});

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'The file could not be read.';

async function look(file: File, say: Say): Promise<void> {
  const sample: CsvRow['row'][] = [];
  let columns: readonly string[] = [];
  for await (const found of csvRows(file)) {
    columns = found.columns;
    if (sample.push(found.row) === SHOWN_ROWS) break;
  }
  if (columns.length === 0) throw new Error('The file has no rows below its header.');
  if (isOwnForm(columns)) return say({ kind: 'looked', columns, sample, known: { form: 'own' } });
  const detection = detectByColumns(PROFILES, columns);
  const found = 'found' in detection ? [detection.found] : 'several' in detection ? detection.several : [];
  const routes = found.map(({ profile, route }) => ({
    ...{ tool: profile.tool, title: profile.title, route: route.name, grain: route.grain },
    ...{ isDraft: (route.unverified?.length ?? 0) > 0, instead: route.instead ?? null },
  }));
  say({
    kind: 'looked',
    columns,
    sample,
    known: routes.length > 0 ? { form: 'tool', routes } : { form: 'unknown' },
  });
}

/** What becomes of the rows of a file, which is read twice: every row is noted before any is sent. */
interface Reading {
  note(row: CsvRow): void;
  /** @throws Error where nothing may be sent, with what has to be said first */
  check(): void;
  send(row: CsvRow): Promise<void>;
}

/** A file is read to its end before anything is sent, so that it goes as a whole or not at all. */
async function send(file: File, company: string, plan: Plan, say: Say): Promise<void> {
  const sender = new BatchSender(company, plan.form === 'tool' ? 'events' : 'csv', say);
  let rest = 'Nothing was sent.';
  try {
    const reading = plan.form === 'tool' ? readingOfTool(plan, sender) : readingOfColumns(plan, sender);
    for await (const row of csvRows(file)) reading.note(row);
    reading.check();
    rest = SEND_AGAIN;
    for await (const row of csvRows(file)) {
      sender.read();
      await reading.send(row);
    }
    await sender.flush();
    say({ kind: 'sent', ...sender.account });
  } catch (error) {
    say({ kind: 'failed', message: `${messageOf(error)} ${rest}`, ...sender.account });
  }
}

/** Only the columns that are mapped are in what is made of a row. */
function readingOfColumns(plan: Plan & { form: 'columns' }, sender: BatchSender): Reading {
  const places = Object.entries(plan.columns);
  return {
    note: () => undefined,
    check: () => undefined,
    send: ({ row, cells, number, columns }) => {
      const value = Object.fromEntries(places.map(([field, column]) => [field, row[column] ?? '']));
      if (cells === columns.length) return sender.add({ row: number, value });
      const misfit = `The row has ${cells} cells, the header ${columns.length}. Quote cells that hold commas.`;
      return sender.add({ row: number, value, misfit });
    },
  };
}

function readingOfTool(plan: Plan & { form: 'tool' }, sender: BatchSender): Reading {
  const profile = profileOf(plan.tool);
  const route = profile?.routes.find(({ name }) => name === plan.route);
  if (!profile || !route) throw new Error('This file format is not supported.');
  const mapping = new FileMapping(profile, plan.context, Date.now());
  return {
    note: ({ row, number }) => void mapping.note(route, row, number),
    check: () => {
      if (mapping.fault) throw new Error(sentenceFor(mapping.fault));
    },
    send: async ({ row, number }) => {
      const { mapped, sticking } = mapping.map(route, row, number);
      const made = 'events' in mapped ? [...mapped.events, ...sticking] : sticking;
      if (!('events' in mapped)) sender.takeAnyway(sticking.length);
      if ('skipped' in mapped && sticking.length === 0) sender.skip();
      if ('faults' in mapped)
        sender.reject(
          mapped.faults.map(({ code, column }) => ({
            ...{ row: number, field: column, code },
            message: TEXTS[code] ?? '',
          })),
        );
      for (const { event } of made) await sender.add({ row: number, value: namedEvent(event) });
    },
  };
}

const TEXTS: Readonly<Partial<Record<FaultCode, string>>> = ROW_FAULTS;

/** Of what a whole file lacks; the form of a tool has a field for all but the order of dates. */
const NEEDS: Readonly<Partial<Record<FaultCode, (where: FileFault) => string>>> = {
  TIME_ZONE_NEEDED: ({ column, row }) => `Times in "${column}" have no zone (row ${row}). Give it below.`,
  AMBIGUOUS_DATES: ({ column, row }) =>
    `Dates in "${column}" may start with the day or the month (row ${row}). Export them as YYYY-MM-DD.`,
  CAMPAIGN_NEEDED: ({ row }) => `The rows do not contain the campaign (row ${row}). Give its id below.`,
  OBSERVED_UNTIL_NEEDED: ({ column, row }) =>
    `"${column}" has no time (row ${row}). Give the time of the export below.`,
};

const sentenceFor = (fault: FileFault) => NEEDS[fault.code]?.(fault) ?? `${fault.code} (row ${fault.row}).`;
