import fc from 'fast-check';
import { CHANNELS, DAY_MS, OUTCOMES, TONES } from '@outcomes/contracts';

const SUBJECTS = ['Quick question', 'Re: 3 ideas for you', 'Your pipeline?', 'Hello'];
const BODIES = [
  'Hi Anna, following up on my last email. Worth a chat next week? No pressure at all.',
  'We help teams like Acme cut costs by 30%. Here is my calendar: https://calendly.com/x/y',
  'Congrats on your recent launch! I saw your talk and loved it. Open to a quick chat?',
];
const TITLES = ['CEO', 'VP Sales', 'Portfolio Manager', 'Software Engineer', 'zzz'];
const START_MS = Date.parse('2026-04-01T00:00:00Z');

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/**
 * Events of a small world, so that they meet: few recipients, few addresses, few threads and steps. Times and
 * outcomes vary, so touches supersede one another and replies come under other ids.
 */
export const collidingEvents = fc
  .array(
    fc.record({
      recipient: fc.integer({ min: 1, max: 4 }),
      address: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      step: fc.integer({ min: 0, max: 3 }),
      channel: fc.constantFrom(...CHANNELS),
      outcome: fc.constantFrom(...OUTCOMES, 'no_response' as const),
      sentDay: fc.integer({ min: 0, max: 20 }),
      dateOnly: fc.boolean(),
      delayHours: fc.integer({ min: 0, max: 24 * 35 }),
      campaign: fc.constantFrom(undefined, 'a', 'b'),
      opened: fc.boolean(),
      propensity: fc.constantFrom(undefined, 0.5, 0.123456, 0, 1, 1e-9, 'x'),
      variant: fc.constantFrom(undefined, undefined, 'b', 7, '', true),
      tone: fc.option(fc.constantFrom(...TONES), { nil: undefined }),
      subject: fc.option(fc.constantFrom(...SUBJECTS), { nil: undefined }),
      body: fc.option(fc.constantFrom(...BODIES), { nil: undefined }),
      title: fc.option(fc.constantFrom(...TITLES), { nil: undefined }),
      industry: fc.constantFrom(undefined, 'Retail', ' retail ', 'Éclairage', '  '),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((drafts) =>
    drafts.map((draft): Record<string, unknown> => {
      const sentMs = START_MS + draft.sentDay * DAY_MS + (draft.dateOnly ? 0 : 9 * 3_600_000);
      return {
        channel: draft.channel,
        sequence_step: draft.step,
        recipient_id: `r${draft.recipient}`,
        ...(draft.address !== undefined && { recipient_email: `P${draft.address}@acme.com` }),
        sent_at: draft.dateOnly ? iso(sentMs).slice(0, 10) : iso(sentMs),
        outcome_at: iso(sentMs + draft.delayHours * 3_600_000),
        outcome: draft.outcome,
        ...(draft.tone && { tone: draft.tone }),
        ...(draft.subject && { subject: draft.subject }),
        ...(draft.body && { body: draft.body }),
        ...(draft.title && { recipient_position: draft.title }),
        ...(draft.industry && { industry: draft.industry }),
        metadata: {
          ...(draft.campaign && { campaign_id: draft.campaign }),
          ...(draft.opened && { opened: true }),
          ...(draft.propensity !== undefined && { propensity: draft.propensity }),
          ...(draft.variant !== undefined && { variant_id: draft.variant }),
        },
      };
    }),
  );
