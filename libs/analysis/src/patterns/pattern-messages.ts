import {
  patternTextOf,
  type DimensionName,
  type EvidenceTier,
  type PatternEvidence,
  type RateEstimate,
} from '@outcomes/contracts';
import { countedText, countText, escapeHtml, percentText, roughCountText } from '../documents/phrasing';
import { dimensionLabel, levelLabel } from './level-label';
import type { PatternFinding } from './pattern-finding';

// Title and message hold catalogue text and escaped values, and of HTML only b, em, strong and code.

const STRENGTHS: Readonly<Record<EvidenceTier, readonly string[]>> = {
  confirmed: [],
  likely: ['<strong>Likely</strong>, not confirmed yet.'],
  directional: ['<strong>A first hint</strong>; up to half of such hints may be wrong.'],
};

const BASES: Readonly<Record<PatternEvidence['basis'], string>> = {
  randomized: 'Who got which was drawn by lot.',
  observational: 'Who got which was not drawn by lot, so something else may be behind it.',
};

/** Says what to do first: a name such as "Messages without personalization" alone is easily read the wrong way round. */
export function findingTitle({ pattern, evidence }: PatternFinding): string {
  const title = `<b>${escapeHtml(pattern.title)}</b>`;
  return evidence.odds_ratio > 1
    ? `Do more of this: ${title} (more replies)`
    : `Avoid this: ${title} (fewer replies)`;
}

export function findingMessage(finding: PatternFinding, tier: EvidenceTier): string {
  const { pattern, evidence } = finding;
  const texts = patternTextOf(pattern.code);
  return [
    evidence.odds_ratio > 1 ? texts.more : texts.less,
    `${groundsText(finding)}: such messages got <b>${changeText(evidence.lift)}</b> replies ` +
      `(95% interval: ${intervalText(evidence)}).`,
    ...STRENGTHS[tier],
    BASES[evidence.basis],
    ...outlook(evidence),
  ].join(' ');
}

/** How much longer it takes to know, in round numbers: an expectation is not exact. */
export function outlook({ sends_to_decide: sends }: PatternEvidence): string[] {
  return sends === null || sends === 0
    ? []
    : [
        `About ${roughCountText(sends)} more ${sends === 1 ? 'message' : 'messages'} like these should settle it.`,
      ];
}

/** What a day is to timing: counts by weekday do not tell the two Mondays of a fortnight apart. */
export const DAYS_COUNT = '(the same weekday twice in a fortnight counts once)';

/**
 * Where it was seen: "Inside 14 campaigns, at least 62 texts of this kind were compared with at least 91 others". The
 * numbers are effective ones, in bins: more texts may have been sent, of which some are rare or share a bin, never fewer.
 */
export function groundsText({ pattern, evidence }: PatternFinding): string {
  const { n_campaigns, n_texts_with, n_texts_without } = evidence;
  const [textsWith, others] = [n_texts_with, n_texts_without].map((texts) => Math.max(1, Math.round(texts)));
  return (
    `Inside ${countedText(n_campaigns, 'campaign')}, ` +
    `at least ${countedText(textsWith ?? 1, isOfTime(pattern.dimension) ? 'day' : 'text')} of this kind ` +
    `${textsWith === 1 ? 'was' : 'were'} compared with at least ${countedText(others ?? 1, 'other')}` +
    (isOfTime(pattern.dimension) ? ` ${DAYS_COUNT}` : '')
  );
}

/** "20% to 75% more, however often one looks" */
export function intervalText({ lift_low, lift_high }: PatternEvidence): string {
  if (lift_low < 0 && lift_high > 0)
    return `${changeText(lift_low)} to ${changeText(lift_high)}, however often one looks`;
  const [near, far] = lift_low >= 0 ? [lift_low, lift_high] : [lift_high, lift_low];
  return `${percentText(Math.abs(near))} to ${changeText(far)}, however often one looks`;
}

/** "between 30% fewer and 75% more replies (95% interval, however often one looks)" */
export function rangeText({ lift_low, lift_high }: PatternEvidence): string {
  return `between ${changeText(lift_low)} and ${changeText(lift_high)} replies (95% interval, however often one looks)`;
}

export function isOfTime(dimension: DimensionName): boolean {
  return dimension === 'weekday' || dimension === 'daypart';
}

/** Channels are judged by first messages, everything else by all. */
export function areFirstMessages({ pattern }: PatternFinding): boolean {
  return pattern.dimension === 'channel';
}

/** Reply rates on both sides, e.g. for the field `metric`. Plain text. */
export function rateSummary(finding: PatternFinding): string {
  const { with_rate, without_rate, level_since } = finding.evidence;
  const whose = areFirstMessages(finding) ? ' of first messages' : '';
  const since = level_since === undefined ? '' : `, at the level of replies since ${level_since}`;
  return `Reply rate${whose} ${rateText(with_rate)} with, ${rateText(without_rate)} without${since}`;
}

export function observationTitle(dimension: DimensionName): string {
  return `<b>${escapeHtml(dimensionLabel(dimension))}</b>: no clear pattern yet`;
}

interface RatedLevel {
  readonly level: string;
  readonly rate: RateEstimate;
}

/** @param levels - the levels that have messages, with their rates; at least one */
export function observationMessage(dimension: DimensionName, levels: readonly RatedLevel[]): string {
  const [best, ...others] = [...levels].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0)) as [
    RatedLevel,
    ...RatedLevel[],
  ];
  const label = escapeHtml(levelLabel(dimension, best.level));
  const count = countText(best.rate.n);
  if (others.length > 0 && best.rate.value === null)
    return 'Messages of several kinds have been sent, all of them too young to tell a reply rate.';
  if (others.length === 0) {
    return `${best.rate.n === 1 ? 'The only message so far of which this is known is' : `All ${count} messages so far of which this is known are`} of one kind (<b>${label}</b>), so there is nothing to compare with. Vary it to learn more.`;
  }
  const rest =
    dimension === 'sequence_step'
      ? 'Whoever answers gets no further message, so later steps go to other people and are not compared.'
      : 'The difference to the others may well be chance, or the audience.';
  return (
    `So far <b>${label}</b> has the highest estimated reply rate: <b>${rateText(best.rate)}</b>,` +
    ` from ${countedText(best.rate.n, 'message')} (95% interval: ${rateInterval(best.rate)}). ${rest}`
  );
}

/** Estimates, pooled with one another, and no share that could be counted. */
export function rateSentence(finding: PatternFinding): string {
  const { with_rate, without_rate } = finding.evidence;
  const messages = countedText(with_rate.n, areFirstMessages(finding) ? 'first message' : 'message');
  return (
    `The estimated reply rate with it is <b>${rateText(with_rate)}</b>, from ${messages};` +
    ` without it <b>${rateText(without_rate)}</b>, from ${countText(without_rate.n)}.`
  );
}

function rateText(rate: RateEstimate): string {
  return rate.value === null ? 'n/a' : percentText(rate.value);
}

function rateInterval({ ci_low, ci_high }: RateEstimate): string {
  return ci_low === null || ci_high === null ? 'n/a' : `${percentText(ci_low)} to ${percentText(ci_high)}`;
}

function changeText(lift: number): string {
  return `${percentText(Math.abs(lift))} ${lift < 0 ? 'fewer' : 'more'}`;
}
