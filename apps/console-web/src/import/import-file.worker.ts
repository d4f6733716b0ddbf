import {
  detectByColumns,
  FileHistory,
  mapRecord,
  noteRecord,
  optOutsBeside,
  profileOf,
  PROFILES,
} from '@outcomes/source-profiles';
import { textFormOf, type MapContext } from '@outcomes/source-profiles';
import Papa from 'papaparse';
import { BatchSender } from './batch-sender.query';
import { isOwnForm, type Asked, type OfJob, type Plan, type Said } from './import-plan.query';

const HEAD_BYTES = 65_536;
const SHOWN_ROWS = 3;
/** What to do after a failure on the way: events are known by their ids. */
const SEND_AGAIN = 'Send the same file again later: what was accepted is kept, and nothing is counted twice.';

type Row = Readonly<Record<string, string>>;
type Say = (said: Said) => void;

addEventListener('message', ({ data }: MessageEvent<Asked & OfJob>) => {
  const say: Say = (said) => postMessage({ ...said, job: data.job } satisfies Said & OfJob);
  if (data.kind === 'send') void send(data.file, data.company, data.plan, say);
  else look(data.file, say).catch((error: unknown) => say({ kind: 'failed', message: messageOf(error) }));
});

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'The file could not be read.';

/** Every row of a file, in order; the next one is read when this one is done with. */
async function eachRow(
  file: File,
  work: (row: Row, number: number, columns: string[]) => Promise<void> | void,
) {
  const { encoding } = textFormOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  let number = 0;
  await new Promise<void>((resolve, reject) => {
    Papa.parse<Row>(file, {
      ...{ header: true, skipEmptyLines: true, encoding },
      transformHeader: (name) => name.trim(),
      chunk: ({ data, meta }, parser) => {
        parser.pause();
        const all = async () => {
          for (const row of data) await work(row, (number += 1), meta.fields ?? []);
        };
        all().then(() => parser.resume(), reject);
      },
      complete: () => resolve(),
      error: reject,
    });
  });
}

async function look(file: File, say: Say): Promise<void> {
  const sample: Row[] = [];
  let columns: string[] = [];
  const head = new File([file.slice(0, HEAD_BYTES)], file.name);
  await eachRow(head, (row, _number, found) => {
    columns = found;
    if (sample.length < SHOWN_ROWS) sample.push(row);
  });
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

async function send(file: File, company: string, plan: Plan, say: Say): Promise<void> {
  const sender = new BatchSender(company, plan.form === 'tool' ? 'events' : 'csv', say);
  try {
    if (plan.form === 'tool') await sendOfTool(file, plan, sender);
    else await sendColumns(file, plan, sender);
    await sender.flush();
    say({ kind: 'sent', ...sender.account });
  } catch (error) {
    say({ kind: 'failed', message: `${messageOf(error)} ${SEND_AGAIN}`, ...sender.account });
  }
}

/** Only the columns that are mapped are in what is made of a row. */
async function sendColumns(file: File, plan: Plan & { form: 'columns' }, sender: BatchSender): Promise<void> {
  const places = Object.entries(plan.columns);
  await eachRow(file, (row, number) => {
    sender.read();
    const value = Object.fromEntries(places.map(([field, column]) => [field, row[column] ?? '']));
    return sender.add({ row: number, value });
  });
}

async function sendOfTool(file: File, plan: Plan & { form: 'tool' }, sender: BatchSender): Promise<void> {
  const profile = profileOf(plan.tool);
  const route = profile?.routes.find(({ name }) => name === plan.route);
  if (!profile || !route) throw new Error('This file format is not supported.');
  const history = new FileHistory();
  const context: MapContext & { history: FileHistory } = { ...plan.context, tool: plan.tool, history };
  let newestMs = -Infinity;
  await eachRow(file, (row, number) => {
    noteRecord(route, row, context, number);
    const mapped = mapRecord(route, row, context, number);
    for (const { event } of 'events' in mapped ? mapped.events : [])
      for (const time of [event.sent_at, event.outcome_at])
        if (time !== undefined) newestMs = Math.max(newestMs, Date.parse(time));
  });
  // Now would make other events of the same file each time it is imported.
  const isKnown = Number.isFinite(newestMs);
  const until = context.observedUntil ?? new Date(isKnown ? newestMs : Date.now()).toISOString();
  await eachRow(file, async (row, number) => {
    sender.read();
    const mapped = mapRecord(route, row, context, number);
    if ('events' in mapped) {
      const optOuts = optOutsBeside(profile, row, mapped.events, until);
      for (const { event } of [...mapped.events, ...optOuts]) await sender.add({ row: number, value: event });
    } else if ('skipped' in mapped) sender.skip();
    else
      sender.reject(
        mapped.faults.map(({ code, column }) => ({ row: number, field: column, code, message: '' })),
      );
  });
}
