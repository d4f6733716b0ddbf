import { fortnightOf } from '@outcomes/persistence';
import type { CompanionPair, CompanionStratum } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from '../src/evidence/evidence-design';
import { maturesOn } from '../src/evidence/matured-fortnights';
import { keyOf } from './campaign-keys';
import type { SentMessage } from './generated-messages';

export const isMatured = ({ day, channel }: SentMessage, observedUntil: number): boolean =>
  maturesOn(fortnightOf(day), channel) <= observedUntil;

/** Strata in plain loops. */
export function strataOf(
  messages: readonly SentMessage[],
  { code, within }: CompanionPair,
  observedUntil: number,
): CompanionStratum[] {
  const own = EVIDENCE_DESIGN.codes.find((one) => one.code === code);
  const levelsOf = (name: string) =>
    EVIDENCE_DESIGN.dimensions.find((one) => one.name === name)?.levels ?? [];
  const [all, stronger] = [levelsOf(own?.dimension ?? ''), levelsOf(within)];
  const strata = new Map<string, { -readonly [K in keyof CompanionStratum]: number }>();
  for (const message of messages) {
    const { day, campaignId, step, position, channel, levels, isReply } = message;
    const level = levels.find((one) => stronger.includes(one));
    if (!isMatured(message, observedUntil) || level === undefined) continue;
    if (!levels.some((one) => all.includes(one))) continue;
    const [campaign, fortnight] = [keyOf(campaignId), fortnightOf(day)];
    const key = [campaign, fortnight, step, position, channel, level].join(' ');
    const stratum = strata.get(key) ?? { campaign, fortnight, na: 0, ya: 0, nb: 0, yb: 0 };
    strata.set(key, stratum);
    const reply = isReply ? 1 : 0;
    if (levels.includes(own?.level ?? -1)) {
      stratum.na += 1;
      stratum.ya += reply;
    } else {
      stratum.nb += 1;
      stratum.yb += reply;
    }
  }
  return [...strata.values()];
}
