import { createReadStream } from 'node:fs';
import { open, stat, truncate, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Erasure, ErasedSubject } from '@outcomes/ingestion';
import { escapeLiteral } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { CliFailure } from '../output/cli-failure';
import { remark } from '../output/terminal';
import { asBackupReader } from './backup-login';

/** A line of an exported ledger. */
export interface ExportedErasure extends Erasure {
  readonly companyId: string;
}

export interface ExportSummary {
  readonly file: string;
  /** Erasures that were written now. */
  readonly added: number;
  /** All that the file has. */
  readonly erasures: number;
}

/**
 * An erasure has its time from its statement and is seen with its commit: one may turn up behind others of later times.
 * No transaction of a service lasts as long as this.
 */
const OVERLAP_MS = 10 * 60_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SUBJECTS: readonly string[] = ['recipient', 'event', 'company'] satisfies ErasedSubject[];

/**
 * Adds to a file what the ledger has and the file has not, so that it can be called every minute.
 * @param url - as `asBackupReader` takes it
 */
export async function exportErasures(url: string, file: string): Promise<ExportSummary> {
  const known = await knownOf(file);
  return asBackupReader(url, async (client) => {
    const target = await open(file, 'a', 0o600);
    const since = escapeLiteral(new Date(known.newest - OVERLAP_MS).toISOString());
    // Hexadecimal digits, ids and times: nothing that COPY would write in another way.
    const rows = client.query(
      copyTo(`COPY (SELECT json_build_object('companyId', company_id, 'erasureId', erasure_id, 'subject', subject,
          'subjectSha256', encode(subject_sha256, 'hex'), 'keptSuppression', kept_suppression,
          'erasedAt', to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        FROM erasures WHERE erased_at > ${since} ORDER BY erased_at) TO STDOUT`),
    );
    try {
      const added = await append(target, linesOf(rows as AsyncIterable<Buffer>), known.recent);
      return { file, added, erasures: known.erasures + added };
    } finally {
      await target.close();
    }
  });
}

/** By the stream's own iterator, which hears its errors: those of readline are heard by nobody, and end the process. */
async function* linesOf(rows: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of rows) {
    const lines = `${rest}${chunk.toString('latin1')}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function append(
  target: FileHandle,
  lines: AsyncIterable<string>,
  recent: ReadonlySet<string>,
): Promise<number> {
  let added = 0;
  let pending = '';
  for await (const line of lines) {
    if (recent.has((JSON.parse(line) as ExportedErasure).erasureId)) continue;
    added += 1;
    pending += `${line}\n`;
    if (pending.length < 65_536) continue;
    await target.appendFile(pending);
    pending = '';
  }
  if (pending !== '') await target.appendFile(pending);
  await target.sync();
  return added;
}

/** What a file has, and where it may be behind; a last line that a crash cut off is taken away and written again. */
async function knownOf(file: string) {
  const recent = new Map<string, number>();
  let newest = OVERLAP_MS;
  let erasures = 0;
  if (!(await exists(file))) return { recent: new Set<string>(), newest, erasures };
  await cutTornLine(file);
  for await (const { erasureId, erasedAt } of readErasures(file, () => undefined)) {
    const time = Date.parse(erasedAt);
    newest = Math.max(newest, time);
    erasures += 1;
    recent.set(erasureId, time);
    // Insertion is nearly in order of time, so the oldest stand in front.
    for (const [id, at] of recent) {
      if (at > newest - 2 * OVERLAP_MS) break;
      recent.delete(id);
    }
  }
  return { recent: new Set(recent.keys()), newest, erasures };
}

async function cutTornLine(file: string): Promise<void> {
  const { size } = await stat(file);
  const handle = await open(file, 'r');
  try {
    const tail = Buffer.alloc(Math.min(size, 4_096));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const whole = tail.lastIndexOf('\n') + 1;
    if (size > 0 && whole < tail.length) await truncate(file, size - (tail.length - whole));
  } finally {
    await handle.close();
  }
}

/** An exported ledger as it is repeated in a restored database. */
export interface ErasureLedger {
  readonly erasures: number;
  readonly byCompany: ReadonlyMap<string, readonly Erasure[]>;
}

/**
 * Reads and checks a whole ledger, so that a restore can do so before it changes anything. A last line that the crash cut
 * off which made the restore necessary is left out with a remark.
 * @throws CliFailure naming the line that is no erasure
 */
export async function readLedger(file: string): Promise<ErasureLedger> {
  const byCompany = new Map<string, Erasure[]>();
  let erasures = 0;
  const onTorn = () =>
    remark(
      `outcomes: the last line of ${file} is incomplete and is left out. If another copy of the file has it, run ` +
        '"outcomes erasures replay COPY" before any service starts.',
    );
  for await (const { companyId, ...erasure } of readErasures(file, onTorn)) {
    const known = byCompany.get(companyId) ?? [];
    known.push(erasure);
    byCompany.set(companyId, known);
    erasures += 1;
  }
  return { erasures, byCompany };
}

async function* readErasures(file: string, onTorn: () => void): AsyncGenerator<ExportedErasure> {
  if (!(await exists(file)))
    throw new CliFailure(
      `There is no erasure ledger at ${file}. Give the file of "outcomes erasures export".`,
    );
  let number = 0;
  let isFaulty = false;
  const fault = () =>
    new CliFailure(
      `Line ${number} of ${file} is not an erasure record; no line may be skipped. Use another copy of the file.`,
    );
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (isFaulty) throw fault();
    number += 1;
    const erasure = parse(line);
    if (erasure) yield erasure;
    else isFaulty = true;
  }
  if (!isFaulty) return;
  if (await endsWithLine(file)) throw fault();
  onTorn();
}

async function endsWithLine(file: string): Promise<boolean> {
  const { size } = await stat(file);
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() === '\n';
  } finally {
    await handle.close();
  }
}

function parse(line: string): ExportedErasure | undefined {
  try {
    const found = JSON.parse(line) as ExportedErasure;
    const isWhole =
      UUID.test(found.companyId) &&
      UUID.test(found.erasureId) &&
      SUBJECTS.includes(found.subject) &&
      /^[0-9a-f]{64}$/.test(found.subjectSha256) &&
      typeof found.keptSuppression === 'boolean' &&
      !Number.isNaN(Date.parse(found.erasedAt));
    return isWhole ? found : undefined;
  } catch {
    return undefined;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
