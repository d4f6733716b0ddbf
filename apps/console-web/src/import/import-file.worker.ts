import {
  detectByColumns,
  FileHistory,
  mapRecord,
  noteRecord,
  optOutsBeside,
  profileOf,
  PROFILES,
} from '@outcomes/source-profiles';
import type { MapContext } from '@outcomes/source-profiles';
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
  send(row: CsvRow): Promise<void>;
}

/** A file is read to its end before anything is sent, so that it goes as a whole or not at all. */
async function send(file: File, company: string, plan: Plan, say: Say): Promise<void> {
  const sender = new BatchSender(company, plan.form === 'tool' ? 'events' : 'csv', say);
  let rest = 'Nothing was sent.';
  try {
    const reading = plan.form === 'tool' ? readingOfTool(plan, sender) : readingOfColumns(plan, sender);
    for await (const row of csvRows(file)) reading.note(row);
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
    send: ({ row, number }) => {
      const value = Object.fromEntries(places.map(([field, column]) => [field, row[column] ?? '']));
      return sender.add({ row: number, value });
    },
  };
}

function readingOfTool(plan: Plan & { form: 'tool' }, sender: BatchSender): Reading {
  const profile = profileOf(plan.tool);
  const route = profile?.routes.find(({ name }) => name === plan.route);
  if (!profile || !route) throw new Error('This file format is not supported.');
  const history = new FileHistory();
  const context: MapContext & { history: FileHistory } = { ...plan.context, tool: plan.tool, history };
  let newestMs = -Infinity;
  return {
    note: ({ row, number }) => {
      noteRecord(route, row, context, number);
      const mapped = mapRecord(route, row, context, number);
      for (const { event } of 'events' in mapped ? mapped.events : [])
        for (const time of [event.sent_at, event.outcome_at])
          if (time !== undefined) newestMs = Math.max(newestMs, Date.parse(time));
    },
    send: async ({ row, number }) => {
      // Now would make other events of the same file each time it is imported.
      const isKnown = Number.isFinite(newestMs);
      const until = context.observedUntil ?? new Date(isKnown ? newestMs : Date.now()).toISOString();
      const mapped = mapRecord(route, row, context, number);
      if ('events' in mapped) {
        const optOuts = optOutsBeside(profile, row, mapped.events, until);
        for (const { event } of [...mapped.events, ...optOuts])
          await sender.add({ row: number, value: event });
      } else if ('skipped' in mapped) sender.skip();
      else
        sender.reject(
          mapped.faults.map(({ code, column }) => ({ row: number, field: column, code, message: '' })),
        );
    },
  };
}
