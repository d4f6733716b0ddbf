import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { WorkflowDecisions, WorkflowDecisionsQuery } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { addressHashOf } from '@outcomes/persistence';
import { plantDecision, type PlantedDecision } from '../../test/planted-decisions';
import { plantEvent, plantRun, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { encodeCursor } from '../arguments/cursor';
import { Answers } from '../answers/answers.service';
import { DecisionRepository } from '../decisions/decision.repository';
import { WorkflowDecisionsService } from './workflow-decisions.service';

const NOW = '2026-02-01T08:00:00.000Z';

describe('decisions and contacts', () => {
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const newCompany = async (dataAsOf: string | null = NOW) => {
    const scope = mintTenantScope(randomUUID());
    if (dataAsOf !== null) await plantRun(database.owner, scope.companyId, 'succeeded', dataAsOf);
    return scope;
  };
  /** A contact that was written to, and decided about. */
  const decide = async (
    { companyId }: TenantScope,
    contactId: string,
    parts: Partial<PlantedDecision> = {},
  ) => {
    const decidedAt = parts.decidedAt ?? '2026-01-30T02:00:00Z';
    await plantTouch(database.owner, { companyId, recipientId: contactId, sentAt: '2025-12-01T08:00:00Z' });
    return plantDecision(database.owner, { companyId, contactId, decidedAt, ...parts });
  };
  const ask = (scope: TenantScope, query: WorkflowDecisionsQuery) =>
    answers.answer('WorkflowDecisions', scope, query);

  describe('one decision', () => {
    it('is as the list has it, and exists for its company alone while it is retained', async () => {
      const [scope, neighbour] = [await newCompany(), await newCompany()];
      const [id, foreign] = [await decide(scope, 'anna'), await decide(neighbour, 'bert')];
      const expired = await decide(scope, 'carl', { decidedAt: '2024-02-01T08:00:00Z' });
      const service = context.get(WorkflowDecisionsService);
      const one = await service.one(scope, id);
      expect(one).toMatchObject({ decision_id: id, contact_id: 'anna', replay: null });
      expect((await ask(scope, { contact_id: 'anna' })).decisions).toEqual([one]);
      for (const other of [foreign, expired, randomUUID(), 'anna', `${id}0`])
        await expect(service.one(scope, other)).rejects.toMatchObject({ code: 'DECISION_NOT_FOUND' });
    });
  });

  describe('the list of decisions', () => {
    it('is summed up by what was advised, and what must not be followed any more', async () => {
      const scope = await newCompany();
      const { companyId } = scope;
      for (const name of ['send-1', 'send-2', 'opted-out']) await decide(scope, name);
      await decide(scope, 'stop', { inputs: { ended: 'replied' } });
      await plantEvent(database.owner, { companyId, recipientId: 'opted-out', outcome: 'unsubscribed' });
      await plantEvent(database.owner, { companyId, recipientId: 'stop', outcome: 'unsubscribed' });
      const all = await ask(scope, {});
      expect(all.summary).toMatch(
        /^4 decisions match; the 4 on this page: 1 stop, 3 send\. 0 chosen to learn\. All are open: .* yet\. 1 must not be followed: the contact unsubscribed or bounced since\. /,
      );
      expect(all.alerts).toEqual(['decisions_overtaken', 'drift_not_evaluated']);
      // To stop is what to do with somebody who has opted out.
      expect((await ask(scope, { contact_id: 'stop' })).alerts).toEqual([
        'contact_unsubscribed',
        'drift_not_evaluated',
      ]);
      const well = await ask(scope, { contact_id: 'send-1' });
      expect(well.alerts).toEqual(['drift_not_evaluated']);
      expect(well.summary).not.toContain('must not be followed');
      expect(well.summary).toMatch(/^1 decision matches; the 1 on this page: /);
    });

    it('names no time after which its decisions were read, though a run ends meanwhile', async () => {
      const scope = await newCompany('2026-01-31T08:00:00.000Z');
      const decisions = context.get(DecisionRepository);
      const read = decisions.page.bind(decisions);
      jest.spyOn(decisions, 'page').mockImplementationOnce(async (...asked) => {
        const page = await read(...asked);
        await plantRun(database.owner, scope.companyId, 'succeeded', NOW);
        return page;
      });
      expect((await ask(scope, {})).data_as_of).toBe('2026-01-31T08:00:00.000Z');
    });

    it('tells of the bounce of a contact that is asked about', async () => {
      const scope = await newCompany();
      const recipientHash = addressHashOf('b@x.org');
      await decide(scope, 'bounced', { recipientHash });
      await plantEvent(database.owner, {
        ...{ companyId: scope.companyId, recipientId: 'bounced', recipientHash, outcome: 'bounced' },
      });
      const { alerts, decisions } = await ask(scope, { contact_id: 'bounced' });
      expect(alerts).toEqual(['decisions_overtaken', 'contact_bounced', 'drift_not_evaluated']);
      expect(decisions).toMatchObject([{ can_contact: false, block_reasons: ['bounced'] }]);
      // The same by its address.
      expect((await ask(scope, { contact_id: 'B@x.org' })).decision_count).toBe(1);
    });

    it('says what came of a message to another id of the address', async () => {
      const scope = await newCompany();
      const recipientHash = addressHashOf('a@x.org');
      await decide(scope, 'anna', { recipientHash });
      for (const [sentAt, step] of [
        ['2026-01-31T10:00:00Z', 2],
        ['2026-01-31T09:00:00Z', 1],
      ] as const)
        await plantTouch(database.owner, {
          ...{ companyId: scope.companyId, recipientId: 'anna-again', recipientHash, sentAt, step },
        });
      const { decisions } = await ask(scope, {});
      expect(decisions).toMatchObject([{ followed: true, outcome: 'no_response' }]);
    });

    it('goes on where there are more than asked for, and ends where there are not', async () => {
      const scope = await newCompany();
      for (const name of ['a', 'b']) await decide(scope, name);
      const both = await ask(scope, { limit: 2 });
      expect([both.next_cursor, both.alerts.includes('results_truncated'), both.models]).toEqual([
        null,
        false,
        [],
      ]);
      const first = await ask(scope, { limit: 1, include_replay: true });
      expect([
        first.decisions.length,
        first.models.length,
        first.alerts.includes('results_truncated'),
      ]).toEqual([1, 1, true]);
      const second = await ask(scope, { limit: 1, cursor: first.next_cursor ?? '' });
      expect(second.decisions[0]?.decision_id).not.toBe(first.decisions[0]?.decision_id);
      expect(second.next_cursor).toBeNull();
    });

    it.each([{}, { action: 'send' as const }])(
      'goes on where the last decision of the page before was erased meanwhile: %j',
      async (query) => {
        const scope = await newCompany();
        // Of one moment, and to the microsecond.
        for (const name of ['a', 'b', 'c', 'd'])
          await decide(scope, name, { decidedAt: '2026-01-30T02:00:00.123456Z' });
        const idsOf = ({ contacts, decisions }: WorkflowDecisions) =>
          [...contacts, ...decisions].map(({ decision_id }) => decision_id);
        const all = idsOf(await ask(scope, query));
        const first = await ask(scope, { ...query, limit: 2 });
        expect(idsOf(first)).toEqual(all.slice(0, 2));
        const ofEarlierVersion = encodeCursor(query.action ? 'contacts' : 'decisions', all[1] ?? '');
        expect(idsOf(await ask(scope, { ...query, cursor: ofEarlierVersion }))).toEqual(all.slice(2));
        await database.owner.query('DELETE FROM workflow_decisions WHERE decision_id = $1', [all[1]]);
        const second = await ask(scope, { ...query, limit: 2, cursor: first.next_cursor ?? '' });
        expect([idsOf(second), second.next_cursor]).toEqual([all.slice(2), null]);
        const neighbour = await newCompany();
        await expect(ask(neighbour, { ...query, cursor: first.next_cursor ?? '' })).rejects.toMatchObject({
          fields: { parameter: 'cursor' },
        });
      },
    );

    it('says which campaigns may be meant by one that does not exist', async () => {
      const scope = await newCompany();
      await plantTouch(database.owner, { companyId: scope.companyId, campaignId: 'spring' });
      const unknown = await ask(scope, { campaign_id: 'sprng' });
      expect([unknown.similar_campaign_ids, unknown.alerts[0], unknown.scope]).toEqual([
        ['spring'],
        'campaign_not_found',
        'campaign',
      ]);
      expect(unknown.summary).toMatch(/^0 decisions match\. /);
      const known = await ask(scope, { campaign_id: 'spring' });
      expect([known.similar_campaign_ids, known.alerts[0]]).toEqual([[], 'no_workflow_decisions_available']);
    });

    // Retention reaches back 24 months from now.
    it.each([
      ['2024-02-01T08:00:00Z', false],
      ['2024-02-01T07:59:59Z', true],
    ])('from %s on is cut by retention: %s', async (since, clamped) => {
      const scope = await newCompany();
      for (const query of [{ since }, { since, action: 'due' as const }])
        expect((await ask(scope, query)).alerts.includes('window_clamped_to_retention')).toBe(clamped);
    });
  });

  describe('what to do about contacts', () => {
    it('is a line of one contact, where an action is asked of one', async () => {
      const scope = await newCompany();
      await decide(scope, 'anna');
      const due = await ask(scope, { contact_id: 'anna', action: 'due' });
      expect(due).toMatchObject({
        scope: 'contact',
        decision_count: 1,
        contacts: [{ contact_id: 'anna', due: true }],
      });
      const stopped = await ask(scope, { contact_id: 'anna', action: 'stop' });
      expect([stopped.contacts, stopped.alerts[0]]).toEqual([[], 'no_workflow_decisions_available']);
      expect(stopped.summary).toContain(
        '0 contacts: 0 to write to now, 0 must not be written to, 0 unknown.',
      );
      expect((await ask(scope, { contact_ids: ['anna', 'nobody'] })).scope).toBe('company');
    });

    it.each<[string, WorkflowDecisionsQuery]>([
      ['contact_ids', { contact_id: 'anna', contact_ids: ['bert'] }],
      ['contact_ids', { contact_id: 'anna', contact_ids: ['bert'], action: 'due' }],
      ['cursor', { contact_ids: ['bert'], cursor: encodeCursor('decisions', 'any') }],
      ['cursor', { contact_ids: ['bert'], cursor: 'garbage' }],
      ['cursor', { contact_id: 'anna', action: 'due', cursor: 'garbage' }],
    ])('is refused where %s would be passed over: %j', async (parameter, query) => {
      const refused = ask(await newCompany(), query);
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMETER', fields: { parameter } });
      await expect(refused).rejects.toThrow(parameter === 'cursor' ? 'one page' : 'contact_id');
    });

    it('keeps, of contacts asked for, to a campaign and to a time', async () => {
      const scope = await newCompany();
      await decide(scope, 'anna', { campaignId: 'spring' });
      await decide(scope, 'bert');
      const named = async (query: WorkflowDecisionsQuery) =>
        (await ask(scope, { contact_ids: ['anna', 'bert'], ...query })).contacts.map(
          ({ contact_id, action }) => [contact_id, action],
        );
      expect(await named({ campaign_id: 'spring' })).toEqual([['anna', 'send']]);
      expect(await named({ contact_ids: ['nobody', 'anna'], campaign_id: 'spring' })).toEqual([
        ['anna', 'send'],
      ]);
      expect(await named({ since: '2026-01-30T02:00:00Z' })).toEqual([
        ['anna', 'send'],
        ['bert', 'send'],
      ]);
      // Nothing was decided then: to wait.
      expect(await named({ until: '2026-01-30T02:00:00Z' })).toEqual([
        ['anna', 'wait'],
        ['bert', 'wait'],
      ]);
      const { contacts } = await ask(scope, { contact_ids: ['nobody'] });
      expect(contacts).toMatchObject([
        {
          known: false,
          can_contact: null,
          due: false,
          reply_probability: null,
          campaign_id: null,
          decision_id: null,
        },
      ]);
    });

    // A decision holds for 30 days, up to what the run has read; without a run, up to now.
    it.each([
      ['2026-01-31T02:00:00.000Z', '2026-01-01T02:00:00Z', true],
      ['2026-01-31T02:00:00.001Z', '2026-01-01T02:00:00Z', false],
      [null, '2026-01-02T08:00:00Z', true],
      [null, '2026-01-02T07:59:59Z', false],
    ])('with data of %s holds a decision of %s: %s', async (dataAsOf, decidedAt, holds) => {
      const scope = await newCompany(dataAsOf);
      await decide(scope, 'anna', { decidedAt });
      // Whoever asks for more is told of no more.
      for (const since of [{}, { since: '2025-01-01T00:00:00Z' }])
        expect((await ask(scope, { action: 'due', ...since })).contacts).toHaveLength(holds ? 1 : 0);
      expect((await ask(scope, { contact_ids: ['anna'] })).contacts[0]?.due).toBe(holds);
    });

    it('is told of a page with how many were left out, and that there are more', async () => {
      const scope = await newCompany();
      for (const name of ['a', 'b', 'c']) await decide(scope, name);
      await plantEvent(database.owner, {
        companyId: scope.companyId,
        recipientId: 'c',
        outcome: 'unsubscribed',
      });
      const first = await ask(scope, { action: 'send', limit: 2 });
      expect(first.summary).toMatch(
        / on this page, of 3 decisions that may hold\..* There are more: follow next_cursor\. /,
      );
      expect(first.summary).toContain('with the action send on this page');
      const second = await ask(scope, { action: 'send', limit: 2, cursor: first.next_cursor ?? '' });
      expect(second.summary).not.toContain('There are more');
      expect([...first.contacts, ...second.contacts].map(({ contact_id }) => contact_id).sort()).toEqual([
        'a',
        'b',
      ]);
      expect(`${first.summary} ${second.summary}`).toContain('1 contact left out: what happened since');
      expect((await ask(scope, { action: 'send', since: '2026-01-30T02:00:01Z' })).decision_count).toBe(0);
    });

    it('keeps a page without a limit small, whatever contacts are called, and loses nobody', async () => {
      const scope = await newCompany();
      const names = Array.from({ length: 22 }, (_, i) => String(i).padStart(2, '0').padEnd(256, 'x'));
      for (const name of names) await decide(scope, name);
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await ask(scope, { action: 'send', ...(cursor !== undefined && { cursor }) });
        expect(JSON.stringify(page.contacts).length).toBeLessThan(7_000);
        seen.push(...page.contacts.map(({ contact_id }) => contact_id));
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      expect(seen.sort()).toEqual(names);
      // A limit is honoured, however long that makes the answer.
      expect((await ask(scope, { action: 'send', limit: 22 })).contacts).toHaveLength(22);
    });

    it('examines as many decisions as fill a page, and counts those of them that hold', async () => {
      const scope = await newCompany();
      const newest = await decide(scope, 'n-0');
      const write = (n: number, sentAt: string) =>
        plantTouch(database.owner, { companyId: scope.companyId, recipientId: `n-${n}`, sentAt });
      for (let n = 1; n < 500; n += 1) await write(n, '2025-12-01T08:00:00Z');
      const same = `run_id, contact_state, recipient_hash, thread_id, campaign_id, engine_version, model_sha256, inputs, result`;
      await database.owner.query(
        `INSERT INTO workflow_decisions (company_id, decision_id, after_touch_id, contact_id, decided_at, ${same})
         SELECT company_id, gen_random_uuid(), gen_random_uuid(), 'n-' || n, decided_at - n * interval '1 minute', ${same}
         FROM workflow_decisions, generate_series(1, 499) AS n WHERE decision_id = $1`,
        [newest],
      );
      const first = await ask(scope, { action: 'send', limit: 50 });
      expect([first.contacts.length, first.decision_count]).toEqual([50, 200]);
      // The newest 250 are outdated: the first 200 have nothing for a page.
      for (let n = 0; n < 250; n += 1) await write(n, '2026-01-31T08:00:00Z');
      const seen: string[] = [];
      const counts: number[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await ask(scope, { action: 'send', limit: 50, ...(cursor !== undefined && { cursor }) });
        seen.push(...page.contacts.map(({ contact_id }) => contact_id));
        counts.push(page.decision_count);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      expect(counts).toEqual([150, 200, 150, 100, 50]);
      expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => `n-${250 + n}`));
    });

    it('goes on behind a thousand decisions that no longer hold', async () => {
      const scope = await newCompany();
      const newest = await decide(scope, 'busy');
      await decide(scope, 'quiet', { decidedAt: '2026-01-20T02:00:00Z' });
      const same = `run_id, contact_state, contact_id, recipient_hash, thread_id, campaign_id, engine_version, model_sha256,
        inputs, result`;
      await database.owner.query(
        `INSERT INTO workflow_decisions (company_id, decision_id, after_touch_id, decided_at, ${same})
         SELECT company_id, gen_random_uuid(), gen_random_uuid(), decided_at - n * interval '1 minute', ${same}
         FROM workflow_decisions, generate_series(1, 999) AS n WHERE decision_id = $1`,
        [newest],
      );
      const first = await ask(scope, { action: 'send', limit: 10 });
      expect(first.contacts.map(({ contact_id }) => contact_id)).toEqual(['busy']);
      const second = await ask(scope, { action: 'send', limit: 10, cursor: first.next_cursor ?? '' });
      expect(second.contacts.map(({ contact_id }) => contact_id)).toEqual(['quiet']);
      expect(second.next_cursor).toBeNull();
    });
  });
});
