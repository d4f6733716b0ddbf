import type { QuestionName } from '@outcomes/contracts';
import type { Pair, Rule } from './comparing';
import { call, read, type Asked, type Surfaces, type Voice } from './voices';

const TIMES = [
  ...['2026-01-31T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-31T00:00Z', '2026-01-31T24:00:00Z'],
  ...['2026-01-31T00:00:00+23:00', '2026-01-31T00:00:00+02:00', '2026-01-31', 'yesterday'],
];

/** Arguments on the edge of what is taken, and beyond it. */
const EDGES: readonly (readonly [QuestionName, Asked])[] = [
  ...TIMES.flatMap((time) => [
    ['ActionAuditLog', { since: time }] as const,
    ['WorkflowDecisions', { until: time }] as const,
  ]),
  ['BanditState', { top_n: 0 }],
  ['BanditState', { top_n: 100 }],
  ['BanditState', { top_n: 101 }],
  ['BanditState', { channel: 'sms' }],
  ['BanditState', { position: 'x'.repeat(65) }],
  ['BanditState', { nonsense: 1 }],
  ['DriftState', { window_days: 6 }],
  ['DriftState', { window_days: 90 }],
  ['CampaignRecommendations', { direction: 'sideways' }],
  ['CampaignRecommendations', { limit: 52 }],
  ['CampaignHealth', { campaign_id: 'spring', window_days: 366 }],
  ['WorkflowDecisions', { cursor: 'nothing-that-was-given' }],
  ['RecipientIntelligence', { contact_id: 'x'.repeat(257) }],
];

/** Asks for what is on the edge of being refused, over both ways in. */
export async function askedWrongly(surfaces: Surfaces): Promise<Voice[]> {
  const voices: Voice[] = [];
  for (const [question, asked] of EDGES)
    voices.push(await read(surfaces, question, asked), await call(surfaces, question, asked));
  return voices;
}

/** What is refused over one way in is refused over the other. */
export const RULES_OF_REFUSALS: readonly Rule[] = [
  {
    name: 'what is refused over REST is refused over MCP',
    *pairs({ edges }): Generator<Pair> {
      for (let at = 0; at + 1 < edges.length; at += 2) {
        const [rest, mcp] = [edges[at], edges[at + 1]];
        const what = `${rest?.question} ${JSON.stringify(rest?.asked)}`;
        const isRefused = [rest, mcp].map((voice) => voice?.refusal !== undefined);
        yield { what, one: isRefused[0], other: isRefused[1] };
        // Each way calls what there is not by its own name: an argument, a query parameter.
        if (rest?.asked.nonsense === undefined)
          yield { what: `${what}: why`, one: rest?.refusal?.message, other: mcp?.refusal?.message };
      }
    },
  },
];
