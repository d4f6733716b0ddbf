import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { LISTED_ACTIONS, type ContactLine, type WorkflowDecisionsQuery } from '@outcomes/contracts';
import type { DecisionInputs } from '@outcomes/statistics';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantDecision } from '../../test/planted-decisions';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantEvent, plantRun, plantSnapshot, plantTouch, type PlantedTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';
import { addressHashOf } from '@outcomes/persistence';

const NOW = '2026-02-01T08:00:00.000Z';
const SENT = '2026-01-25T08:00:00Z';
const DECIDED = '2026-01-30T02:00:00Z';

interface Plan {
  readonly inputs?: Partial<DecisionInputs>;
  readonly decidedAt?: string;
  readonly touch?: Partial<PlantedTouch>;
  /** A message that was counted only after the decision, which follows the one before. */
  readonly countedLate?: Partial<PlantedTouch>;
}
/** A contact each, with one message and one decision. */
const PLANS: Readonly<Record<string, Plan>> = {
  'send-1': {},
  'send-2': { decidedAt: '2026-01-29T02:00:00Z' },
  'of-spring': { touch: { campaignId: 'spring' } },
  // Rests for two days from the decision, which is the day of the message.
  resting: { decidedAt: '2026-01-31T20:00:00Z', inputs: { daysSinceLastTouch: 0 } },
  rested: { decidedAt: '2026-01-28T02:00:00Z', inputs: { daysSinceLastTouch: 0 } },
  'has-replied': { inputs: { ended: 'replied' }, touch: { outcome: 'responded' } },
  'opted-out-since': {},
  'bounced-since': { touch: { recipientHash: addressHashOf('b@x.org') } },
  'replied-since': { touch: { outcome: 'responded' } },
  'written-since': {},
  // Hours after the decision, and by the clock of the sender still the day before it.
  'written-since-in-the-west': { touch: { campaignId: 'west' } },
  // Sent before the decision, and known only after it: what was advised has been done.
  'reported-late': { countedLate: { sentAt: '2026-01-29T17:00:00Z', step: 1 } },
  'reported-late-of-the-same-moment': { countedLate: { sentAt: SENT, step: 1 } },
  'reported-late-and-older': { countedLate: { sentAt: '2026-01-24T08:00:00Z' }, touch: { step: 1 } },
  // Written to under another id of the address: before the next run, and after it has decided anew.
  'crm-1': { touch: { recipientHash: addressHashOf('j@x.org') } },
  'crm-2': { touch: { recipientHash: addressHashOf('k@x.org') } },
  // The other id was written to earlier.
  'crm-3': { touch: { recipientHash: addressHashOf('l@x.org') } },
  'long-ago': { decidedAt: '2025-12-20T02:00:00Z', touch: { sentAt: '2025-12-15T08:00:00Z' } },
  'decided-anew': { decidedAt: '2026-01-27T02:00:00Z' },
};
const NAMES = Object.keys(PLANS);
const DUE = ['crm-3', 'of-spring', 'reported-late-and-older', 'rested', 'send-1', 'send-2'];

describe('contacts by what to do about them', () => {
  const company = mintTenantScope(randomUUID());
  const neighbour = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner } = database;
    const { companyId } = company;
    for (const scope of [company, neighbour]) await plantRun(owner, scope.companyId, 'succeeded', NOW);
    for (const [name, { inputs, decidedAt = DECIDED, touch, countedLate }] of Object.entries(PLANS)) {
      const contact = { companyId, recipientId: name };
      const afterTouchId = await plantTouch(owner, { ...contact, sentAt: SENT, ...touch });
      if (countedLate) await plantTouch(owner, { ...contact, ...countedLate });
      await plantDecision(owner, {
        ...{ companyId, contactId: name, decidedAt },
        ...(countedLate && { afterTouchId }),
        recipientHash: touch?.recipientHash ?? null,
        campaignId: touch?.campaignId ?? null,
        ...(inputs && { inputs }),
      });
    }
    const event = { companyId, sentAt: '2026-01-26T08:00:00Z' };
    await plantEvent(owner, { ...event, recipientId: 'opted-out-since', outcome: 'unsubscribed' });
    await plantEvent(owner, {
      ...event,
      recipientId: 'somebody-else',
      recipientHash: addressHashOf('b@x.org'),
      outcome: 'bounced',
    });
    await plantTouch(owner, { companyId, recipientId: 'written-since', sentAt: '2026-01-31T08:00:00Z' });
    await plantTouch(owner, {
      ...{ companyId, recipientId: 'written-since-in-the-west' },
      ...{ sentAt: '2026-01-30T05:00:00Z', sentDay: '2026-01-29' },
    });
    await plantDecision(owner, {
      ...{ companyId, contactId: 'decided-anew', decidedAt: DECIDED },
      inputs: { ended: 'replied' },
    });
    for (const [recipientId, address, sentAt] of [
      ['em-1', 'j@x.org', '2026-01-31T09:00:00Z'],
      ['em-2', 'k@x.org', '2026-01-31T09:00:00Z'],
      ['em-3', 'l@x.org', '2026-01-20T09:00:00Z'],
    ] as const)
      await plantTouch(owner, { companyId, recipientId, recipientHash: addressHashOf(address), sentAt });
    await plantDecision(owner, {
      ...{ companyId, contactId: 'em-2', recipientHash: addressHashOf('k@x.org') },
      ...{ decidedAt: '2026-01-31T20:00:00Z', inputs: { daysSinceLastTouch: 0 } },
    });
    // Written to since as well, by another company.
    await plantTouch(owner, {
      ...{ companyId: neighbour.companyId, recipientId: 'em-3', recipientHash: addressHashOf('l@x.org') },
      sentAt: '2026-01-31T09:00:00Z',
    });
    await plantTouch(owner, { companyId: neighbour.companyId, recipientId: 'foreign', sentAt: SENT });
    await plantDecision(owner, {
      ...{ companyId: neighbour.companyId, contactId: 'foreign', decidedAt: DECIDED },
    });
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const ask = (query: WorkflowDecisionsQuery) => answers.answer('WorkflowDecisions', company, query);
  const namesOf = (lines: readonly ContactLine[]) => lines.map(({ contact_id }) => contact_id).sort();

  it('are those to write to today: their time has come, and nothing speaks against it', async () => {
    const { contacts, decisions, decision_count, summary, next_cursor } = await ask({ action: 'due' });
    expect(namesOf(contacts)).toEqual(DUE);
    for (const line of contacts) {
      expect(line).toMatchObject({ due: true, can_contact: true, channel: 'email', sequence_step: 1 });
      expect(Date.parse(line.not_before ?? '')).toBeLessThanOrEqual(Date.parse(NOW));
      expect(line.reply_probability).toBeGreaterThan(0);
    }
    expect(decisions).toEqual([]);
    // Three have opted out, bounced or replied since.
    expect(decision_count).toBe(DUE.length + 3);
    expect(summary).toContain(
      '6 contacts to write to now on this page, of 9 decisions that may hold. 3 contacts left out',
    );
    expect(next_cursor).toBeNull();
  });

  it.each([
    ['send', ['crm-3', 'of-spring', 'reported-late-and-older', 'send-1', 'send-2']],
    ['wait', ['em-2', 'rested', 'resting']],
    ['switch_channel', []],
    ['stop', ['decided-anew', 'has-replied']],
  ] as const)('are those of one action: %s', async (action, names) => {
    const { contacts, alerts } = await ask({ action });
    expect(namesOf(contacts)).toEqual(names);
    expect(alerts.includes('no_workflow_decisions_available')).toBe(names.length === 0);
  });

  it.each(LISTED_ACTIONS)('come page by page, each once, with nobody lost: %s', async (action) => {
    const whole = namesOf((await ask({ action, limit: 50 })).contacts);
    const seen: ContactLine[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 20; page += 1) {
      const answer = await ask({ action, limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...answer.contacts);
      if (answer.next_cursor === null) break;
      cursor = answer.next_cursor;
    }
    expect(namesOf(seen)).toEqual(whole);
  });

  it('keep to a campaign and to a time', async () => {
    expect(namesOf((await ask({ action: 'due', campaign_id: 'spring' })).contacts)).toEqual(['of-spring']);
    expect(namesOf((await ask({ action: 'due', until: '2026-01-29T12:00:00Z' })).contacts)).toEqual([
      'rested',
      'send-2',
    ]);
    const unknown = await ask({ action: 'due', campaign_id: 'sprng' });
    expect(unknown.alerts).toContain('campaign_not_found');
    expect(unknown.similar_campaign_ids).toEqual(['spring', 'west']);
    expect((await ask({ campaign_id: 'sprng' })).similar_campaign_ids).toEqual(['spring', 'west']);
    expect((await ask({ action: 'due', campaign_id: 'west' })).decision_count).toBe(0);
  });

  it('are a line for each that is asked for, in their order, also of nobody', async () => {
    const ids = ['has-replied', 'nobody', 'send-1', 'opted-out-since', 'foreign', 'B@x.org '];
    const { contacts, summary, alerts } = await ask({ contact_ids: ids });
    expect(contacts.map(({ action, can_contact, due }) => [action, can_contact, due])).toEqual([
      ['stop', true, false],
      ['wait', null, false],
      ['send', true, true],
      ['stop', false, false],
      ['wait', null, false],
      ['stop', false, false],
    ]);
    expect(contacts.map(({ known }) => known)).toEqual([true, false, true, true, false, true]);
    expect(summary).toContain('6 contacts: 1 to write to now, 2 must not be written to, 2 unknown.');
    expect(alerts).toContain('contact_unknown');
    expect(namesOf((await ask({ contact_ids: ids, action: 'due' })).contacts)).toEqual(['send-1']);
  });

  it('are the same, listed by action or asked for by name', async () => {
    const byName = (await ask({ contact_ids: NAMES })).contacts;
    const byAction = (await ask({ action: 'due' })).contacts;
    const order = (a: ContactLine, b: ContactLine) => (a.contact_id < b.contact_id ? -1 : 1);
    expect(byName.filter(({ due }) => due).sort(order)).toEqual([...byAction].sort(order));
  });

  it('are what contact intelligence says of each', async () => {
    const { contacts } = await ask({ contact_ids: [...NAMES, 'nobody', 'b@x.org'] });
    for (const line of contacts) {
      const contact = await answers.answer('RecipientIntelligence', company, { contact_id: line.contact_id });
      const { action, channel, sequence_step, not_before, rationale, decision_id, decided_at, ...more } =
        line;
      const { pattern_codes: _codes, ...advice } = contact.next_best_action;
      expect({ action, channel, sequence_step, not_before, rationale, decision_id, decided_at }).toEqual(
        advice,
      );
      expect([more.known, more.can_contact, more.block_reasons]).toEqual([
        contact.known,
        contact.can_contact,
        contact.block_reasons,
      ]);
      if (more.reply_probability !== null && action !== 'stop')
        expect(more.reply_probability).toBe(contact.reply_likelihood.value);
    }
  });

  it('are still to be written to where their address has become a placeholder, which identifies nobody', async () => {
    await database.owner.query(
      `INSERT INTO touches SELECT (jsonb_populate_record(touches, jsonb_build_object('touch_id', gen_random_uuid(),
         'recipient_id', 'other-' || n, 'sent_day', '2026-01-31', 'sent_at', '2026-01-31T09:00:00Z'))).*
       FROM touches, generate_series(3, $2::int) AS n WHERE company_id = $1 AND recipient_id = 'crm-3'`,
      [company.companyId, 1_000],
    );
    expect(namesOf((await ask({ action: 'due' })).contacts)).not.toContain('crm-3');
    // Mutation: a thousand messages are none too many.
    await plantTouch(database.owner, {
      ...{ companyId: company.companyId, recipientId: 'one-more', sentAt: '2026-01-31T09:00:00Z' },
      recipientHash: addressHashOf('l@x.org'),
    });
    const { contacts } = await ask({ action: 'due' });
    expect(namesOf(contacts)).toContain('crm-3');
    expect((await ask({ contact_ids: ['crm-3'] })).contacts).toMatchObject([{ due: true }]);
  });

  it('are of one company: the cursor of another’s page opens nothing', async () => {
    const { next_cursor: cursor } = await ask({ action: 'send', limit: 1 });
    expect(cursor).not.toBeNull();
    const foreign = answers.answer('WorkflowDecisions', neighbour, { action: 'send', cursor: cursor ?? '' });
    await expect(foreign).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const own = await answers.answer('WorkflowDecisions', neighbour, { action: 'due' });
    expect(namesOf(own.contacts)).toEqual(['foreign']);
  });

  it('are none to be written to on a channel that the company has left idle', async () => {
    await plantSnapshot(database.owner, neighbour.companyId, 'frame', {
      ...driftOf([channelDrift({ last_sent_on: '2025-12-01' })]),
      analysed_at: NOW,
    });
    const of = (query: WorkflowDecisionsQuery) => answers.answer('WorkflowDecisions', neighbour, query);
    const due = await of({ action: 'due' });
    expect(due.contacts).toEqual([]);
    expect(due.summary).toContain('1 contact left out: what happened since the decision speaks against it.');
    const [line] = (await of({ contact_ids: ['foreign'] })).contacts;
    expect(line).toMatchObject({ action: 'wait', due: false, channel: null, reply_probability: null });
    const contact = await answers.answer('RecipientIntelligence', neighbour, { contact_id: 'foreign' });
    expect(contact.next_best_action).toMatchObject({ action: 'wait', rationale: line?.rationale });
  });
});

describe('contacts to write to, of sessions whose days are longer or shorter once a year', () => {
  let database: ReadingDatabase;
  const contexts: INestApplicationContext[] = [];
  beforeAll(async () => {
    database = await openReadingDatabase('America/Los_Angeles');
  });
  // Each closes the database that they share.
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await database.close();
  });

  // Two days after the message are 48 hours, in which clocks of the session were set back, or forward.
  it.each([
    ['2025-11-01T08:00:00Z', '2025-11-01T20:00:00Z', '2025-11-03T07:59:59.000Z', 0],
    ['2025-11-01T08:00:00Z', '2025-11-01T20:00:00Z', '2025-11-03T08:00:00.000Z', 1],
    ['2026-03-07T09:00:00Z', '2026-03-07T20:00:00Z', '2026-03-09T08:59:59.000Z', 0],
    ['2026-03-07T09:00:00Z', '2026-03-07T20:00:00Z', '2026-03-09T09:00:00.000Z', 1],
  ])(
    'are due by the hour: written to at %s, at %s to wait, at %s: %i',
    async (sentAt, decidedAt, now, due) => {
      const company = mintTenantScope(randomUUID());
      const contact = { companyId: company.companyId, recipientId: 'resting', sentAt };
      await plantRun(database.owner, company.companyId, 'succeeded', decidedAt);
      const afterTouchId = await plantTouch(database.owner, contact);
      await plantDecision(database.owner, {
        ...{ companyId: company.companyId, contactId: 'resting', decidedAt, afterTouchId },
        inputs: { daysSinceLastTouch: 0 },
      });
      const context = await openReadModel(database.reader, now);
      contexts.push(context);
      const answer = await context.get(Answers).answer('WorkflowDecisions', company, { action: 'due' });
      expect([answer.contacts.length, answer.decision_count]).toEqual([due, due]);
    },
  );
});
