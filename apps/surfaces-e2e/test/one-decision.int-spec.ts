import { type Channel, CHANNELS, DAY_MS, type WorkflowDecisionsQuery } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { OptOutServices } from './opt-out-company';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const CONTACTS = 240;
const TITLES = ['VP Sales', 'Head of Marketing', 'Founder', 'Software Engineer', 'person'];
const CAMPAIGNS = ['spring', 'autumn', undefined];

/** What two surfaces say of one contact: asked in two questions, answered from one decision. */
describe('a contact asked about on two surfaces', () => {
  const rng = seededRng(20_260_630);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(rng.next() * items.length)] as Item;
  let services: OptOutServices;
  let scope: TenantScope;

  const message = (contact: number, step: number, channel: Channel, sentAt: number, outcome: string) => ({
    channel,
    sequence_step: step,
    recipient_id: `contact-${contact}`,
    recipient_position: TITLES[contact % TITLES.length],
    sent_at: new Date(sentAt).toISOString(),
    outcome_at: new Date(sentAt + DAY_MS / 2).toISOString(),
    outcome,
    tone: oneOf(['direct', 'professional']),
    ...(CAMPAIGNS[contact % CAMPAIGNS.length] !== undefined && {
      metadata: { campaign_id: CAMPAIGNS[contact % CAMPAIGNS.length] },
    }),
  });

  beforeAll(async () => {
    services = await OptOutServices.start();
    services.now = NOW;
    scope = await services.newCompany();
    for (let contact = 0; contact < CONTACTS; contact += 1) {
      const steps = 1 + Math.floor(rng.next() * 4);
      const last = NOW - (1 + Math.floor(rng.next() * 60)) * DAY_MS;
      const events = Array.from({ length: steps }, (_, step) => {
        const outcome =
          step < steps - 1
            ? 'no_response'
            : oneOf([
                'no_response',
                'no_response',
                'no_response',
                'no_response',
                'responded',
                'unsubscribed',
                'bounced',
              ]);
        return message(contact, step, oneOf(CHANNELS), last - (steps - 1 - step) * 4 * DAY_MS, outcome);
      });
      await services.send(scope, events);
    }
    await services.process(scope);
    await services.analyse(scope);
  });
  afterAll(() => services.stop());

  const newestDecisions = async () => {
    const newest = new Map<string, Awaited<ReturnType<OptOutServices['decisions']>>[number]>();
    for (const decision of await services.decisions(scope))
      if (!newest.has(decision.contact_id)) newest.set(decision.contact_id, decision);
    return newest;
  };

  it('is advised alike, with the same chance of a reply', async () => {
    const actions = new Set<string>();
    for (const [contact, decision] of await newestDecisions()) {
      const {
        next_best_action: advice,
        reply_likelihood,
        can_contact,
        block_reasons,
      } = await services.contact(scope, contact);
      actions.add(decision.action);
      expect([contact, can_contact, block_reasons]).toEqual([
        contact,
        decision.can_contact,
        decision.block_reasons,
      ]);
      expect([contact, advice.action]).toEqual([contact, decision.action]);
      if (decision.action === 'stop') continue;
      const { channel, sequence_step, rationale, pattern_codes, not_before, decision_id, decided_at } =
        decision;
      expect(advice).toEqual({
        ...{ action: decision.action, channel, sequence_step, rationale, pattern_codes, not_before },
        ...{ decision_id, decided_at },
      });
      const { value, ci_low, ci_high, data_source } = reply_likelihood;
      expect({ channel: reply_likelihood.channel, value, ci_low, ci_high, data_source }).toEqual({
        channel,
        ...decision.reply_probability,
        data_source: decision.data_source,
      });
    }
    // Whatever a contact may be told was told to somebody.
    expect([...actions].sort()).toEqual(expect.arrayContaining(['send', 'stop', 'wait']));
  });

  const listed = async (query: WorkflowDecisionsQuery) =>
    (await services.answers.answer('WorkflowDecisions', scope, query)).contacts;

  it('is told the same in a list of many', async () => {
    const contacts = [...(await newestDecisions()).keys()];
    const lines = [];
    for (let from = 0; from < contacts.length; from += 100)
      lines.push(...(await listed({ contact_ids: contacts.slice(from, from + 100) })));
    expect(lines).toHaveLength(contacts.length);
    for (const line of lines) {
      const { next_best_action: advice, can_contact, known } = await services.contact(scope, line.contact_id);
      const { action, channel, sequence_step, not_before, rationale, decision_id, decided_at } = line;
      expect({
        ...advice,
        action,
        channel,
        sequence_step,
        not_before,
        rationale,
        decision_id,
        decided_at,
      }).toEqual(advice);
      expect([line.contact_id, line.can_contact, line.known]).toEqual([line.contact_id, can_contact, known]);
    }
    const due = lines.filter((line) => line.due).map(({ contact_id }) => contact_id);
    expect(due.length).toBeGreaterThan(10);
    const toWriteTo = (await listed({ action: 'due', limit: 50 })).map(({ contact_id }) => contact_id);
    for (const contact of toWriteTo) expect(due).toContain(contact);
    expect(toWriteTo.length).toBe(Math.min(50, due.length));
  });

  it('is given the chance of the channel that is asked for, whatever is decided', async () => {
    for (const [contact, decision] of [...(await newestDecisions())].slice(0, 60)) {
      for (const channel of CHANNELS) {
        const { reply_likelihood, next_best_action: advice } = await services.contact(
          scope,
          contact,
          channel,
        );
        expect([contact, advice.action]).toEqual([contact, decision.action]);
        if (decision.action === 'stop') continue;
        expect([contact, reply_likelihood.channel]).toEqual([contact, channel]);
        if (channel === decision.channel)
          expect(reply_likelihood.value).toBe(decision.reply_probability.value);
      }
    }
  });

  it('is not told to send what has been sent, nor to go on after a reply', async () => {
    const open = [...(await newestDecisions()).values()].filter(({ action }) => action === 'send');
    const [written, answered] = open.map(({ contact_id }) => Number(contact_id.split('-')[1]));
    services.now = NOW + 2 * DAY_MS;
    await services.send(scope, [
      message(written ?? 0, 7, 'email', NOW + DAY_MS, 'no_response'),
      message(answered ?? 0, 7, 'email', NOW + DAY_MS, 'responded'),
    ]);
    await services.process(scope);
    const afterMessage = await services.contact(scope, `contact-${written}`);
    expect(afterMessage.next_best_action).toMatchObject({ action: 'wait', decision_id: null });
    const afterReply = await services.contact(scope, `contact-${answered}`);
    expect(afterReply.next_best_action).toMatchObject({ action: 'stop', decision_id: null });
  });
});
