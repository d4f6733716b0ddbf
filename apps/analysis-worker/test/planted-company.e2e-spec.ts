import { DAY_MS, DOCUMENTS, type DriftDocument, type PatternRecord } from '@outcomes/contracts';
import { generateCompany } from '@outcomes/statistics/testing';
import { waitUntil } from '@outcomes/testing';
import { WorkerInstallation } from './worker-installation';

const FIRST_DAY = 20_000; // 2024-10-04
const DAYS = 130;
const CHANGE = 95;
const EVENTS_PER_BATCH = 500;
/** A bound that tells a hang, and no measure of speed. */
const PATIENCE_MS = 240_000;
const PLANTED = { 'tone.direct': 1.1, 'social_proof.present': 0.9 };
/** Dimensions in which something was planted; of the others nothing may be confirmed. */
const PREFIXES = ['TA-', 'SP-'];

jest.setTimeout(PATIENCE_MS);

describe('a company whose truth is known, through the worker', () => {
  const { events } = generateCompany(
    {
      days: DAYS,
      startDay: FIRST_DAY,
      sendsPerDay: 70,
      baseRate: 0.08,
      effects: PLANTED,
      strataSpread: 0.2,
      confounding: 0.3,
      drift: { kind: 'rate', day: CHANGE, logOddsShift: 1.2 },
    },
    11,
  );
  let installation: WorkerInstallation;
  let companyId: string;

  beforeAll(async () => {
    installation = await WorkerInstallation.create();
    companyId = await installation.addCompany();
    for (let at = 0; at < events.length; at += EVENTS_PER_BATCH) {
      await installation.ingestEvents(companyId, events.slice(at, at + EVENTS_PER_BATCH));
    }
    await installation.startWorker();
    await waitUntil(
      'all messages to be counted',
      async () => (await installation.touches(companyId)) === events.length,
      PATIENCE_MS,
    );
    await installation.requestAnalysis(companyId, 'manual-1');
    await waitUntil('the run', () => installation.isDecided(companyId, 'manual-1'), PATIENCE_MS);
  });
  afterAll(() => installation.close());

  it('is told the planted effects, with their sign, and of none that was not planted', async () => {
    const patterns = await installation.document<PatternRecord[]>(companyId, DOCUMENTS.patterns);
    const confirmed = (patterns ?? []).filter(({ tier }) => tier === 3);
    expect(confirmed.map(({ code, positive }) => [code, positive])).toContainEqual(['TA-1', true]);
    expect(confirmed.some(({ code, positive }) => code.startsWith('SP-') && positive === true)).toBe(true);
    expect(
      confirmed.map(({ code }) => code).filter((code) => !PREFIXES.some((prefix) => code.startsWith(prefix))),
    ).toEqual([]);
  });

  it('is told of the changed reply rate, and when it changed', async () => {
    const drift = await installation.document<DriftDocument>(companyId, DOCUMENTS.drift);
    const changes = drift?.channels.flatMap((channel) => channel.changes) ?? [];
    expect(changes.length).toBeGreaterThan(0);
    for (const { direction } of changes) expect(direction).toBe('up');
    const since = Date.parse(changes[0]?.since ?? '') / DAY_MS - FIRST_DAY;
    expect(Math.abs(since - CHANGE)).toBeLessThanOrEqual(10);
  });

  it('gets the same documents from another run, but for the times of writing', async () => {
    // History is folded beside the analysis, and written down when that is done.
    await waitUntil(
      'the history to be folded',
      async () => (await installation.document(companyId, DOCUMENTS.backtest)) !== undefined,
      PATIENCE_MS,
    );
    const names = await installation.database.query<{ document: string; etag: string }>(
      'SELECT document, etag FROM snapshots WHERE company_id = $1 ORDER BY document',
      [companyId],
    );
    await installation.requestAnalysis(companyId, '2026-06-01');
    await waitUntil('the second run', () => installation.isDecided(companyId, '2026-06-01'), PATIENCE_MS);
    expect(
      await installation.database.query(
        'SELECT document, etag FROM snapshots WHERE company_id = $1 ORDER BY document',
        [companyId],
      ),
    ).toEqual(names);
  });
});
