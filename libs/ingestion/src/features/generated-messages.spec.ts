import { DIMENSIONS as PLANS, generateCompany } from '@outcomes/statistics/testing';
import { LEVELS, positionOf } from '@outcomes/contracts';
import { checkEvent } from '../validation/event-rules';
import { extractLevels } from './extract-levels';
import { readerNames } from './reader-names';
import { wallClock } from './wall-clock';

/** What the generator calls a level, and what it is called here; undefined where the service has no such pattern. */
const SAME: Readonly<Record<string, string | undefined>> = {
  'length.under_50': 'body_words:under_50',
  'length.over_200': 'body_words:200_or_more',
  'subject_length.short': 'subject_words:1_to_3',
  'subject_length.medium': 'subject_words:4_to_6',
  'subject_length.long': 'subject_words:7_to_9',
  'subject_length.very_long': 'subject_words:10_or_more',
  'subject_form.question': 'subject_question:with',
  'subject_form.plain': 'subject_question:without',
  'subject_form.number': 'subject_number:with',
  'subject_form.exclamation': 'subject_number:without',
  'personalization.none': 'personalization:none',
  'personalization.name': 'personalization:light',
  'personalization.company': 'personalization:deep',
  'social_proof.present': 'social_proof_customers:with',
  'social_proof.absent': 'social_proof_customers:without',
  'approach.problem': 'messaging_approach:problem_led',
  'approach.value': 'messaging_approach:value_led',
  'approach.question': 'messaging_approach:question_led',
  'approach.referral': 'messaging_approach:referral_led',
  'key_phrase.quick_question': 'phrase_quick_question:with',
  'key_phrase.worth_a_chat': 'phrase_worth_a_chat:with',
  'key_phrase.none': 'phrase_quick_question:without',
  'step.first': 'sequence_step:first_touch',
  'channel.email': 'channel:email',
  'channel.linkedin': 'channel:linkedin',
};

describe('messages of the synthetic generator', () => {
  const { events, featuresOf } = generated();

  it('are all accepted', () => {
    expect(events.length).toBeGreaterThan(500);
    for (const event of events) expect(checkEvent(event, Date.parse('2100-01-01')).faults).toBeUndefined();
  });

  it.each(Object.entries(SAME))('that carry %s are found to carry %s', (planted, found) => {
    const [dimension = '', level] = planted.split('.');
    const carriers = events.filter((event) => featuresOf(event.event_id)[dimension] === level);
    expect(PLANS.some((plan) => plan.name === dimension)).toBe(true);
    expect(carriers.length).toBeGreaterThan(5);
    const missed = carriers.filter((event) => !levelsOf(event).includes(found ?? ''));
    expect(missed.map((event) => event.body)).toEqual([]);
  });

  it.each([
    ['easy', 'easy'],
    ['hard', 'difficult'],
  ])('that are %s to read are found to be %s, nine times in ten', (planted, found) => {
    const carriers = events
      .filter((event) => featuresOf(event.event_id).readability === planted)
      .map((event) => levelsOf(event).find((level) => level.startsWith('readability:')))
      .filter((level) => level !== undefined);
    const right = carriers.filter((level) => level === `readability:${found}`);
    expect(right.length / carriers.length).toBeGreaterThanOrEqual(0.9);
  });

  it('have job titles that are found to be of the planted position', () => {
    for (const { recipient_position } of events) expect(positionOf(recipient_position).position).not.toBe(0);
  });
});

function generated() {
  const company = generateCompany({ days: 20, sendsPerDay: 60, startDay: 20_000, bodyShare: 1 }, 17);
  return {
    events: company.events,
    featuresOf: (eventId: string) => company.truth.features.get(eventId) ?? {},
  };
}

function levelsOf(event: ReturnType<typeof generated>['events'][number]): string[] {
  const { checked } = checkEvent(event, Date.parse('2100-01-01'));
  if (!checked?.sent) return [];
  const { sent, email } = checked;
  const clock = wallClock(sent.epochMs, sent.offsetMinutes, sent.hasTime, 'UTC');
  const levels = extractLevels(
    {
      channel: event.channel === 'email' ? 0 : 1,
      sequenceStep: event.sequence_step,
      tone: null,
      sentAtMs: sent.epochMs,
      sentOffsetMinutes: sent.offsetMinutes,
      sentHasTime: sent.hasTime,
      wordCount: event.word_count,
      subject: event.subject,
      body: event.body ?? null,
      bodyExcerpt: event.body_excerpt,
      readerNames: readerNames(null, null, email?.domain ?? null),
      jobTitle: event.recipient_position,
    },
    clock,
  );
  return levels.map((level) => LEVELS[level] ?? '');
}
