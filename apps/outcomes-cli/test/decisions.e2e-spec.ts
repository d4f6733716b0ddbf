import type { Calibration, WorkflowDecision, WorkflowDecisions } from '@outcomes/contracts';
import { generateCompany, type GeneratedEvent } from '@outcomes/statistics/testing';
import { waitUntil } from '@outcomes/testing';
import { Installation } from './installation';

const DAYS = 50;
const PER_REQUEST = 500;

interface ReplayVerdict {
  readonly replayed: number;
  readonly identical: number;
  readonly firstFault: unknown;
}

describe('decisions about the contacts of a synthetic company', () => {
  let installation: Installation;
  let company: { companyId: string; apiKey: string };
  let events: readonly GeneratedEvent[];
  let decided: readonly WorkflowDecision[];

  const ingest = async (some: readonly GeneratedEvent[]) => {
    for (let from = 0; from < some.length; from += PER_REQUEST) {
      const answer = await fetch(`${installation.urlOf('ingest-api')}/ingest/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${company.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events: some.slice(from, from + PER_REQUEST) }),
      });
      expect(await answer.json()).toMatchObject({ rejected: 0 });
    }
    await waitUntil(
      'all batches to be processed',
      async () => {
        const [row] = await installation.database.query<{ pending: string }>(
          'SELECT count(*) AS pending FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
          [company.companyId],
        );
        return row?.pending === '0';
      },
      60_000,
    );
  };
  const analyse = () => installation.cli('analyze', '--company', company.companyId, '--wait');
  const read = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`${installation.urlOf('read-api')}/v1/intelligence/${path}`, {
      headers: { authorization: `Bearer ${company.apiKey}` },
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Data }).data;
  };
  const allDecisions = async (): Promise<WorkflowDecision[]> => {
    const found: WorkflowDecision[] = [];
    for (let cursor = ''; ;) {
      const page = await read<WorkflowDecisions>(`decisions?limit=50&include_replay=true${cursor}`);
      found.push(...page.decisions);
      if (page.next_cursor === null) return found;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  };
  const replay = (...options: string[]) =>
    installation.cli<ReplayVerdict>('decisions', 'replay', '--company', company.companyId, ...options);
  /** What was frozen; what came of it is not. */
  const frozen = (decisions: readonly WorkflowDecision[]) =>
    new Map(
      decisions.map(({ decision_id, decided_at, replay: proof }) => [decision_id, { decided_at, ...proof }]),
    );

  beforeAll(async () => {
    installation = await Installation.join();
    company = await installation.addTenant({ name: 'Synthetic' });
    const [row] = await installation.database.query<{ today: number }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date - date '1970-01-01' AS today`,
    );
    const startDay = (row?.today ?? 0) - DAYS;
    ({ events } = generateCompany({ days: DAYS, startDay, sendsPerDay: 20, campaigns: 2 }, 5));
  }, 60_000);
  afterAll(() => installation.stop(), 60_000);

  it('are made by the analysis, and replay byte for byte', async () => {
    const known = events.filter((_, i) => i < events.length * 0.8);
    await ingest(known);
    await analyse();
    decided = await allDecisions();
    expect(decided.length).toBeGreaterThan(50);
    expect(new Set(decided.map(({ decision_id }) => decision_id)).size).toBe(decided.length);
    expect(new Set(decided.map(({ action }) => action)).size).toBeGreaterThan(1);
    expect(await replay()).toEqual({ replayed: decided.length, identical: decided.length, firstFault: null });
    const contact = decided[0]?.contact_id ?? '';
    const one = await read<WorkflowDecisions>(`contacts/${encodeURIComponent(contact)}/decisions`);
    expect(one.decisions.map(({ decision_id }) => decision_id)).toContain(decided[0]?.decision_id);
    expect(await replay('--contact', contact)).toMatchObject({ replayed: one.decision_count });
  }, 120_000);

  it('stand after another analysis, and after later data', async () => {
    await analyse();
    expect(frozen(await allDecisions())).toEqual(frozen(decided));
    await ingest(events.filter((_, i) => i >= events.length * 0.8));
    await analyse();
    const after = frozen(await allDecisions());
    expect(after.size).toBeGreaterThan(decided.length);
    for (const [id, proof] of frozen(decided)) expect(after.get(id)).toEqual(proof);
    expect(await replay()).toEqual({ replayed: after.size, identical: after.size, firstFault: null });
  }, 120_000);

  it('have no calibration before anything has settled, and it says so', async () => {
    const calibration = await read<Calibration>('calibration');
    expect(calibration).toMatchObject({ predictions: 0, brier_score: null, reliability_bins: [] });
    expect(calibration.alerts).toContain('no_calibration_available');
  });

  it('are gone with an erased contact, before the answer', async () => {
    const contact = decided[0]?.contact_id ?? '';
    const erased = await fetch(
      `${installation.urlOf('ingest-api')}/ingest/events?recipient_id=${encodeURIComponent(contact)}`,
      { method: 'DELETE', headers: { authorization: `Bearer ${company.apiKey}` } },
    );
    expect(erased.status).toBe(200);
    const left = await read<WorkflowDecisions>(`contacts/${encodeURIComponent(contact)}/decisions`);
    expect(left).toMatchObject({ decision_count: 0, decisions: [] });
    expect(left.alerts).toContain('no_workflow_decisions_available');
    expect((await allDecisions()).some(({ contact_id }) => contact_id === contact)).toBe(false);
  });

  it('that somebody changed do not replay: 1, and one sentence', async () => {
    await installation.database.query(
      `UPDATE workflow_decisions SET result = replace(result, '"exploration":', '"exploration": ')
       WHERE decision_id = (SELECT min(decision_id::text)::uuid FROM workflow_decisions WHERE company_id = $1)`,
      [company.companyId],
    );
    const { code, stdout, stderr } = await installation.cliOutcome(
      'decisions',
      'replay',
      '--company',
      company.companyId,
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('Decisions could NOT be reproduced') as string,
    ]);
    expect(stderr).toMatch(/^outcomes: decision \S+ does not replay: its inputs lead to a different result/);
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await installation.cliOutcome('decisions', 'replay', '--company', nobody)).code).toBe(1);
  });
});
