import { inForm, noteFigures } from '@outcomes/testing';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import fc from 'fast-check';
import { OptOutServices } from './opt-out-company';
import {
  addressIn,
  ADDRESSES,
  ASKED,
  history,
  RECIPIENTS,
  type Change,
  type Telling,
} from './opt-out-histories';
import { OptOutLedger } from './opt-out-ledger';
import type { ToldEvent } from './opt-out-model';

const START = Date.parse('2026-01-10T12:00:00Z');
describe('an opt-out', () => {
  let services: OptOutServices;
  const figures = { questions: 0, blocked: 0, unknown: 0, frozen: 0, overtaken: 0 };

  beforeAll(async () => {
    services = await OptOutServices.start();
  });
  afterAll(() => services.stop());

  /** One company, and beside it the model; every difference fails. */
  class Company {
    readonly model = new OptOutLedger();
    private ms = START;
    private readonly decided = new Set<string>();

    constructor(
      private readonly scope: TenantScope,
      private readonly addresses: readonly (number | null)[],
    ) {
      services.now = this.ms;
    }

    async apply(change: Change) {
      this.pass(2);
      if (change.type === 'event') return this.tell(change);
      if (change.type === 'process') {
        await services.process(this.scope);
        return this.model.process(this.cutoff);
      }
      if (change.type === 'analyse') return this.analyse();
      if (change.type === 'erase') {
        const recipient = RECIPIENTS[change.recipient] ?? '';
        const fate = await services.erase(this.scope, recipient, change.keeps);
        return expect(fate).toBe(this.model.erase(recipient, change.keeps));
      }
      const target = this.model.live.filter(({ ingestedAt }) => ingestedAt > this.cutoff)[change.nth];
      if (target === undefined) return;
      await services.deleteEvent(this.scope, target.id);
      this.model.delete(target.id);
    }

    pass(days: number) {
      this.ms += days * DAY_MS;
      services.now = this.ms;
    }

    async expire() {
      await services.expire(this.scope);
      this.model.expire(this.cutoff);
    }

    async compare({ alsoUnknown = true } = {}) {
      for (const asked of ASKED) {
        const { canContact, reasons } = this.model.verdict(asked, this.cutoff);
        const answer = await services.contact(this.scope, asked.recipient ?? '');
        figures.questions += 1;
        if (reasons.length > 0) figures.blocked += 1;
        if (canContact === null) figures.unknown += 1;
        expect([asked, answer.block_reasons]).toEqual([asked, reasons]);
        if (alsoUnknown || canContact === false)
          expect([asked, answer.can_contact, answer.known]).toEqual([asked, canContact, canContact !== null]);
        for (const reason of ['unsubscribed', 'bounced'] as const)
          expect(answer.alerts.includes(`contact_${reason}`)).toBe(reasons.includes(reason));
        if (answer.can_contact !== true) expect(['stop', 'wait']).toContain(answer.next_best_action.action);
        if (reasons.includes('unsubscribed'))
          expect(answer.next_best_action.rationale).toContain('unsubscribed');
      }
      const contact_ids = ASKED.map(({ recipient }) => recipient ?? '');
      const { contacts: listed } = await services.answers.answer('WorkflowDecisions', this.scope, {
        contact_ids,
      });
      for (const [place, asked] of ASKED.entries()) {
        const { canContact, reasons } = this.model.verdict(asked, this.cutoff);
        expect([asked, listed[place]?.block_reasons]).toEqual([asked, reasons]);
        if (!alsoUnknown && canContact !== false) continue;
        expect([asked, listed[place]?.can_contact]).toEqual([asked, canContact]);
        if (canContact !== true) expect([asked, listed[place]?.due]).toEqual([asked, false]);
      }
      const { contacts: due } = await services.answers.answer('WorkflowDecisions', this.scope, {
        action: 'due',
        limit: 50,
      });
      for (const { contact_id } of due)
        expect([contact_id, this.verdictOf(contact_id).canContact === false]).toEqual([contact_id, false]);
      for (const decision of await services.decisions(this.scope)) {
        const { canContact, reasons } = this.verdictOf(decision.contact_id);
        figures.questions += 1;
        if (canContact === false && decision.action !== 'stop') figures.overtaken += 1;
        expect([decision.contact_id, decision.block_reasons]).toEqual([decision.contact_id, reasons]);
        if (alsoUnknown || canContact === false) expect(decision.can_contact).toBe(canContact);
      }
    }

    private async analyse() {
      await services.process(this.scope);
      this.model.process(this.cutoff);
      await services.analyse(this.scope);
      for (const { decision_id, contact_id, action, rationale } of await services.decisions(this.scope)) {
        if (this.decided.has(decision_id)) continue;
        this.decided.add(decision_id);
        figures.frozen += 1;
        const { reasons } = this.verdictOf(contact_id);
        if (reasons.length > 0) expect(action).toBe('stop');
        expect([contact_id, rationale.includes('unsubscribed')]).toEqual([
          contact_id,
          reasons.includes('unsubscribed'),
        ]);
        expect([contact_id, rationale.includes('bounced')]).toEqual([contact_id, reasons[0] === 'bounced']);
      }
    }

    private verdictOf(contactId: string) {
      return this.model.verdict({ recipient: contactId, address: addressIn(contactId) }, this.cutoff);
    }

    private async tell({ recipient, step, kind, names, isAlone, isBound, daysAgo }: Telling) {
      const place = this.addresses[recipient * 3 + step] ?? null;
      const named = kind === 'no_response' || names;
      const email = place === null || !named ? null : (ADDRESSES[place] ?? null);
      const id = RECIPIENTS[recipient] ?? '';
      const at = this.ms - daysAgo * DAY_MS;
      const sentAt = at - DAY_MS;
      const told: ToldEvent = {
        id: randomUUID(),
        recipient: id,
        email,
        address: email ?? (kind === 'no_response' ? null : addressIn(id)),
        kind,
        at,
        since: kind !== 'responded' || !isBound ? at : isAlone ? -Infinity : sentAt,
        ingestedAt: this.ms,
        isAlone: isAlone && kind !== 'no_response',
        isProcessed: false,
        isRemembered: false,
      };
      await services.tell(this.scope, told, step, sentAt);
      this.model.tell(told);
    }

    private get cutoff() {
      const cutoff = new Date(this.ms);
      cutoff.setUTCMonth(cutoff.getUTCMonth() - 24);
      return cutoff.getTime();
    }
  }

  it('is lost on no surface, whatever else was said, before, after, under another id, deleted, erased or expired', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ addresses, first, age, second, last }) => {
        const company = new Company(await services.newCompany(), addresses);
        for (const change of first) await company.apply(change);
        await company.compare();
        await company.apply({ type: 'analyse' });
        await company.compare();
        company.pass(age);
        await company.compare({ alsoUnknown: false });
        await company.expire();
        await company.compare();
        for (const change of second) await company.apply(change);
        await company.apply({ type: 'analyse' });
        await company.compare();
        for (const change of last) await company.apply(change);
        await company.compare();
        company.pass(760);
        await company.expire();
        await company.compare();
      }),
      { seed: 27, numRuns: inForm(10, 200) },
    );
    noteFigures(
      `${figures.questions} questions, ${figures.frozen} decisions frozen, 0 differ from the model`,
    );
    for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0);
  }, 600_000);
});
