import {
  patternTextOf,
  type DimensionName,
  type PatternEvidence,
  type RateEstimate,
} from '@outcomes/contracts';
import { countText, escapeHtml, percentText } from '../documents/phrasing';
import { dimensionLabel, levelLabel } from './level-label';
import type { PatternFinding } from './pattern-finding';

// Title and message hold catalogue text and escaped values, and of HTML only b, em, strong and code.

const STRENGTHS = {
  3: 'This is <strong>confirmed</strong>: chance is an unlikely explanation, however often one has looked.',
  2: 'This is <strong>likely</strong>, though not confirmed yet.',
  1: 'This is a <strong>first hint</strong>; treat it as something to try.',
  0: '',
} as const;

export function findingTitle({ pattern, evidence }: PatternFinding): string {
  return `<b>${escapeHtml(pattern.title)}</b>: ${evidence.odds_ratio > 1 ? 'more' : 'fewer'} replies`;
}

export function findingMessage(finding: PatternFinding): string {
  const { pattern, evidence, tier } = finding;
  const texts = patternTextOf(pattern.code);
  return [
    evidence.odds_ratio > 1 ? texts.more : texts.less,
    rateSentence(evidence),
    `Compared like with like, that is <b>${changeText(evidence.lift)}</b> replies` +
      ` (95% interval: ${changeText(finding.liftLow)} to ${changeText(finding.liftHigh)}).`,
    STRENGTHS[tier],
    ...outlook(finding),
  ].join(' ');
}

/** How much longer it takes to know, in round numbers: an expectation is not exact. */
function outlook({ tier, evidence: { sends_to_decide: sends } }: PatternFinding): string[] {
  if (tier === 3 || sends === null || sends === 0) return [];
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(sends)) - 1);
  return [`About ${countText(Math.round(sends / unit) * unit)} more messages should settle it.`];
}

export function retractionTitle({ pattern }: PatternFinding): string {
  return `<b>${escapeHtml(pattern.title)}</b>: no longer confirmed`;
}

export function retractionMessage({ evidence }: PatternFinding): string {
  return `This pattern was confirmed once, and newer messages no longer bear it out. ${rateSentence(evidence)}`;
}

/** Reply rates on both sides, e.g. for the field `metric`. Plain text. */
export function rateSummary({ with_rate, without_rate }: PatternEvidence): string {
  return `Reply rate ${rateText(with_rate)} with, ${rateText(without_rate)} without`;
}

export function observationTitle(dimension: DimensionName): string {
  return `<b>${escapeHtml(dimensionLabel(dimension))}</b>: no clear pattern yet`;
}

/** @param levels - the levels that have messages, with their rates; at least one */
export function observationMessage(
  dimension: DimensionName,
  levels: readonly { readonly level: string; readonly rate: RateEstimate }[],
): string {
  const [best, ...others] = [...levels].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
  if (best === undefined) return '';
  const label = escapeHtml(levelLabel(dimension, best.level));
  const count = countText(best.rate.n);
  if (others.length === 0) {
    return `All ${count} messages so far are of one kind (<b>${label}</b>), so there is nothing to compare with. Vary it to learn more.`;
  }
  return (
    `So far <b>${label}</b> has the highest reply rate: <b>${rateText(best.rate)}</b> of ${count} messages` +
    ` (95% interval: ${rateInterval(best.rate)}). The difference to the others may well be chance.`
  );
}

function rateSentence({ with_rate, without_rate }: PatternEvidence): string {
  return (
    `With it, <b>${rateText(with_rate)}</b> of ${countText(with_rate.n)} messages were answered;` +
    ` without it, <b>${rateText(without_rate)}</b> of ${countText(without_rate.n)}.`
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
