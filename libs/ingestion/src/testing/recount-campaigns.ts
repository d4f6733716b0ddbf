import { createHash } from 'node:crypto';
import { CHANNELS, DAY_MS, levelIndexesOf, MATURITY_DAYS, OUTCOMES } from '@outcomes/contracts';
import {
  CampaignCellCounts,
  CampaignDayCounts,
  CampaignTextCounts,
  readOutcomeCounts,
} from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { Touch } from '../touches/touch';

type Client = Pick<TenantTransaction['client'], 'query'>;

/** Dimensions that a text has no part in. */
const NOT_OF_TEXT = (['weekday', 'daypart', 'sequence_step', 'channel'] as const).flatMap((name) =>
  levelIndexesOf(name),
);

/** The counts by campaign, from touches in plain loops: one line per message and count, then added up. */
export function campaignsCountedFrom(touches: readonly Touch[]): string[] {
  const sums = new Map<string, number>();
  const count = (...parts: readonly (string | number | null)[]) => {
    const line = JSON.stringify(parts);
    sums.set(line, (sums.get(line) ?? 0) + 1);
  };
  for (const touch of touches) {
    const campaign =
      touch.campaignId === null
        ? 0
        : Number.parseInt(createHash('sha256').update(touch.campaignId).digest('hex').slice(0, 12), 16);
    const isReply = repliedInTime(touch);
    const bucket = touch.sequenceStep === 0 ? 0 : touch.sequenceStep < 3 ? 1 : 2;
    const fortnight = Math.floor(new Date(touch.sentDay).getTime() / DAY_MS / 14);
    const cell = [campaign, fortnight, touch.channel, touch.sequenceStep, touch.position];
    const text = touch.textId < 0 ? touch.textId + 2 ** 32 : touch.textId;
    const subject = Number(touch.subjectId) < 0 ? Number(touch.subjectId) + 2 ** 32 : Number(touch.subjectId);
    count('campaign', campaign, touch.campaignId);
    for (const what of isReply ? ['touches', 'replies'] : ['touches']) {
      count('day', touch.channel, touch.sentDay, campaign, bucket, touch.position, what);
      count('cell', ...cell, what);
      for (const level of touch.levels) count('level', ...cell, level, what);
      if (touch.variantId !== null) count('variant', ...cell, touch.variantId, what);
    }
    const alike = [touch.channel, touch.sequenceStep, touch.position, OUTCOMES[touch.outcome] ?? ''];
    const both = touch.repliedAtMs !== null && touch.unsubscribedAtMs !== null ? 'both' : 'one';
    count('outcome', campaign, touch.sentDay, ...alike, both);
    count('text', campaign, text);
    count('subject', campaign, subject);
    for (const level of touch.levels) {
      if (NOT_OF_TEXT.includes(level)) continue;
      count('bin of texts', campaign, text % 64, level);
      count('bin of subjects', campaign, subject % 64, level);
    }
  }
  return [...sums].map(([line, times]) => `${line} ${times}`).sort();
}

function repliedInTime(touch: Touch): boolean {
  if (OUTCOMES[touch.outcome] !== 'responded') return false;
  const days = CHANNELS[touch.channel] === 'linkedin' ? MATURITY_DAYS.linkedin : MATURITY_DAYS.email;
  return touch.outcomeIsExact ? touch.outcomeAtMs <= touch.sentAtMs + days * DAY_MS : true;
}

/** The same, from what the service keeps. */
export async function storedCampaigns(client: Client, companyId: string): Promise<string[]> {
  const rowsOf = async <Row>(text: string) => (await client.query(text, [companyId])).rows as readonly Row[];
  const lines: string[] = [];
  const note = (times: number, ...parts: readonly (string | number | null)[]) => {
    if (times !== 0) lines.push(`${JSON.stringify(parts)} ${times}`);
  };
  for (const row of await rowsOf<{ campaign: string; campaign_id: string | null; touches: number }>(
    'SELECT campaign, campaign_id, touches FROM campaigns WHERE company_id = $1',
  )) {
    note(row.touches, 'campaign', Number(row.campaign), row.campaign_id);
  }
  for (const row of await rowsOf<{ channel: number; sent_day: string; counts: Buffer }>(
    'SELECT channel, sent_day::text, counts FROM campaign_days WHERE company_id = $1',
  )) {
    for (const { campaign, step, position, touches, replies } of CampaignDayCounts.decode(
      row.counts,
    ).rows()) {
      const stratum = [row.channel, row.sent_day, campaign, step, position];
      note(touches, 'day', ...stratum, 'touches');
      note(replies, 'day', ...stratum, 'replies');
    }
  }
  for (const row of await rowsOf<{ campaign: string; fortnight: number; counts: Buffer }>(
    'SELECT campaign, fortnight, counts FROM campaign_cells WHERE company_id = $1',
  )) {
    const counts = CampaignCellCounts.decode(row.counts);
    for (const { channel, step, position, ...cell } of counts.rows()) {
      const key = [Number(row.campaign), row.fortnight, channel, step, position];
      note(cell.touches, 'cell', ...key, 'touches');
      note(cell.replies, 'cell', ...key, 'replies');
      cell.levelTouches.forEach((times, level) => note(times, 'level', ...key, level, 'touches'));
      cell.levelReplies.forEach((times, level) => note(times, 'level', ...key, level, 'replies'));
    }
    for (const { channel, step, position, variantId, touches, replies } of counts.variantRows()) {
      const key = [Number(row.campaign), row.fortnight, channel, step, position, variantId];
      note(touches, 'variant', ...key, 'touches');
      note(replies, 'variant', ...key, 'replies');
    }
  }
  for (const row of await rowsOf<{ campaign: string; fortnight: number; counts: Buffer }>(
    'SELECT campaign, fortnight, counts FROM campaign_outcomes WHERE company_id = $1',
  )) {
    for (const one of readOutcomeCounts(row.fortnight, row.counts)) {
      const day = new Date(one.day * DAY_MS).toISOString().slice(0, 10);
      const alike = [one.channel, one.step, one.position, OUTCOMES[one.outcome] ?? ''];
      const both = one.isRepliedAndUnsubscribed ? 'both' : 'one';
      note(one.messages, 'outcome', Number(row.campaign), day, ...alike, both);
    }
  }
  for (const what of ['text', 'subject'])
    for (const row of await rowsOf<{ campaign: string; counts: Buffer }>(
      `SELECT campaign, counts FROM campaign_${what}s WHERE company_id = $1`,
    )) {
      const counts = CampaignTextCounts.decode(row.counts);
      for (const { textId, touches } of counts.textRows()) note(touches, what, Number(row.campaign), textId);
      for (const { bin, levelTouches } of counts.binRows()) {
        levelTouches.forEach((times, level) =>
          note(times, `bin of ${what}s`, Number(row.campaign), bin, level),
        );
      }
    }
  return lines.sort();
}
