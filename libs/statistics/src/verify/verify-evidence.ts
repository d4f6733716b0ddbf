import { atLeast, atMost, type Check, mustFail } from './check';
import type { EvidenceSimulation } from './evidence-simulation';
import type { EvidenceWorldResult } from './evidence-world-result';
import type { EvidenceWorld } from '../testing';
import { verifyEvidenceChanges } from './verify-evidence-changes';
import { verifyEvidenceValidity } from './verify-evidence-validity';
import { verifyVariants } from './verify-variants';

const s = '2 evidence';

const COPIES = ['message', 'template', 'mixed', 'campaign'] as const;
const alike = (sd: number): EvidenceWorld => ({ campaignSd: sd, textSd: sd });
const title = (world: EvidenceWorld): string =>
  Object.entries(world)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');

/** Worlds without any effect in which messages are no independent units. */
const NULL_WORLDS: readonly EvidenceWorld[] = [
  { copy: 'message' },
  ...COPIES.flatMap((copy) => [0.3, 0.5, 0.8].map((sd): EvidenceWorld => ({ copy, ...alike(sd) }))),
  ...[1, 3, 6, 12].map((campaigns): EvidenceWorld => ({
    copy: 'template',
    ...alike(0.5),
    campaigns,
    running: Math.min(6, campaigns),
  })),
  ...[1, 3, 6].map((campaigns): EvidenceWorld => ({
    copy: 'mixed',
    ...alike(0.5),
    campaigns,
    running: Math.min(6, campaigns),
  })),
  { copy: 'message', ...alike(0.5), daySd: 0.5 },
  { copy: 'template', ...alike(0.5), daySd: 0.5 },
  { copy: 'message', ...alike(0.5), recipientSd: 1.5 },
  { copy: 'template', ...alike(0.5), recipientSd: 1.5, secondChannel: 0.4 },
  { copy: 'template', ...alike(0.5), library: 2 },
  { copy: 'template', ...alike(0.5), library: 8 },
  { copy: 'template', ...alike(0.8), library: 2 },
];
/** Replies as common as on some LinkedIn channels. */
const COMMON_REPLIES: EvidenceWorld = { copy: 'template', ...alike(0.5), baseRate: 0.35 };

interface Worst {
  readonly of: (result: EvidenceWorldResult) => number;
  readonly claim: string;
  readonly limit: number;
}

const FALSE_CLAIMS: readonly Worst[] = [
  { claim: 'confirmed', of: ({ falseConfirmed }) => falseConfirmed, limit: 0.02 },
  { claim: 'likely or above', of: ({ falseLikely }) => falseLikely, limit: 0.06 },
  { claim: 'any claim', of: ({ falseAny }) => falseAny, limit: 0.1 },
];

/** Share of companies that ever saw a false claim, on average over worlds, and in the worst of them. */
async function falseClaims(
  simulate: EvidenceSimulation,
  worlds: readonly EvidenceWorld[],
  runs: number,
  seed: number,
  sends: number,
): Promise<Check[]> {
  const results = await Promise.all(
    worlds.map((world, i) => simulate.claims({ ...world, sendsPerDay: sends }, runs, seed + 1_000 * i)),
  );
  // The worst of many worlds is worse than each of them by luck alone: three standard errors are allowed for.
  const luck = (limit: number): number => limit + 3 * Math.sqrt((limit * (1 - limit)) / runs);
  return FALSE_CLAIMS.flatMap(({ claim, of, limit }) => {
    const values = results.map(of);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const worst = Math.max(...values);
    const at = title(worlds[values.indexOf(worst)] as EvidenceWorld);
    return [
      atMost(s, `no effect, ${worlds.length} worlds, ${sends} a day, R ${runs}: ever ${claim}`, mean, limit),
      atMost(s, `the worst of them (${at}): ever ${claim}`, worst, luck(limit)),
    ];
  });
}

const TONE = { 'tone.4': 0.6 };
/** The same, fixed for each text. */
const FLAG_OF_TEXTS = { 'customers.0': 0.6 };
const FLAG = { 'phrase1.0': 0.6 };

/** Worlds with one effect; `least` is the power to hold, none where the data hold no more. */
const PLANTED: readonly { readonly world: EvidenceWorld; readonly least?: number }[] = [
  { world: { copy: 'message', effects: TONE }, least: 0.6 },
  { world: { copy: 'message', ...alike(0.5), effects: TONE }, least: 0.6 },
  ...[1, 3, 6, 12].map((campaigns) => ({
    world: { copy: 'message' as const, effects: TONE, campaigns, running: Math.min(6, campaigns) },
    least: campaigns === 1 ? 0.6 : 0.7,
  })),
  // A flag that 30 % of the messages carry, chosen inside texts.
  { world: { copy: 'mixed', ...alike(0.5), effects: FLAG }, least: 0.95 },
  { world: { copy: 'mixed', ...alike(0.5), effects: FLAG, library: 8 }, least: 0.95 },
  { world: { copy: 'message', effects: TONE, sendsPerDay: 250 }, least: 0.95 },
  { world: { copy: 'template', ...alike(0.3), effects: TONE, sendsPerDay: 250 } },
  { world: { copy: 'template', ...alike(0.3), effects: FLAG_OF_TEXTS, sendsPerDay: 250 } },
  { world: { copy: 'message', ...alike(0.5), effects: { 'tone.4': 0.3 }, sendsPerDay: 250 } },
];

/** Where the estimate is steady enough to measure its bias. */
const STEADY = PLANTED.findIndex(({ world }) => world.effects === TONE && world.sendsPerDay === 250);

async function plantedLines(simulate: EvidenceSimulation, runs: number): Promise<Check[]> {
  const results = await Promise.all(
    PLANTED.map(({ world }, i) => simulate.claims(world, runs, 2_300_000 + 1_000 * i)),
  );
  const sum = (of: (result: EvidenceWorldResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return [
    ...PLANTED.flatMap(({ world, least }, i) =>
      least === undefined
        ? []
        : [atLeast(s, `confirmed by day 182: ${title(world)}`, results[i]?.everConfirmed ?? 0, least)],
    ),
    atMost(
      s,
      'other features ever confirmed beside a planted one',
      sum((r) => r.falseConfirmed) / results.length,
      0.02,
    ),
    atMost(
      s,
      'share of directional badges that are wrong (a sibling is wrong)',
      sum((r) => r.directionalWrong) /
        Math.max(
          1,
          sum((r) => r.directional),
        ),
      0.25,
    ),
    atMost(
      s,
      'confirmed claims of the wrong sign',
      sum((r) => r.wrongSign),
      0,
    ),
    atMost(s, 'intervals that ever left out the truth', Math.max(...results.map((r) => r.everOutside)), 0.05),
    atMost(
      s,
      '|bias of the estimate| of log odds ratio .6, 250 a day',
      Math.abs(results[STEADY]?.bias ?? 1),
      0.05,
    ),
  ];
}

/** Rule 2 and rule 3: levels beside, and features in company with, the one that works. */
async function shadowLines(simulate: EvidenceSimulation, runs: number): Promise<Check[]> {
  const strong: EvidenceWorld = { copy: 'message', ...alike(0.5), effects: TONE, sendsPerDay: 250 };
  const companion: EvidenceWorld = { ...strong, companion: 0.6 };
  const [siblings, unchecked, company, alone] = await Promise.all([
    simulate.claims(strong, runs, 2_400_000),
    simulate.claims(strong, runs, 2_400_000, { rules: { siblings: false } }),
    simulate.claims(companion, runs, 2_410_000),
    simulate.claims(companion, runs, 2_410_000, { companions: false }),
  ]);
  return [
    atMost(s, 'siblings of an effect ever likely or above, 250 a day', siblings.siblings, 0.05),
    mustFail(atMost(s, 'without rule 2: the same', unchecked.siblings, 0.05)),
    atMost(s, 'companion of an effect (co-occurs .6) ever likely or above', company.falseLikely, 0.06),
    mustFail(atMost(s, 'without the strata of companions: the same', alone.falseLikely, 0.06)),
    atLeast(s, 'the effect itself is still confirmed', company.power, 0.95),
  ];
}

/** Mistakes in what repeats. */
async function mutationLines(simulate: EvidenceSimulation, runs: number): Promise<Check[]> {
  const templates: EvidenceWorld = { copy: 'template', ...alike(0.5), sendsPerDay: 250 };
  const library: EvidenceWorld = { ...templates, library: 2 };
  const [messages, campaigns, strangers] = await Promise.all([
    simulate.claims(templates, runs, 2_500_000, { distance: 0 }),
    simulate.claims({ copy: 'message', effects: TONE }, runs, 2_300_000, { distance: 2 }),
    simulate.claims(library, runs, 2_510_000, { families: false }),
  ]);
  return [
    mustFail(atMost(s, 'messages as units (s = 0): ever confirmed', messages.falseConfirmed, 0.02)),
    mustFail(atLeast(s, 'campaigns as units (s = 2): power per message', campaigns.power, 0.6)),
    mustFail(atMost(s, 'no families, two texts for all: ever confirmed', strangers.falseConfirmed, 0.02)),
  ];
}

/**
 * Acceptance lines of section 2, of patterns whose unit is the text. All companies are asked for at once: some 10,000 at
 * full size, a fifth of a second each and more, about an hour of one processor.
 */
export async function verifyEvidence(scale: number, simulate: EvidenceSimulation): Promise<Check[]> {
  const runs = (full: number): number => Math.max(10, Math.round(full * scale));
  const parts = await Promise.all([
    falseClaims(simulate, NULL_WORLDS, runs(200), 2_000_000, 60),
    falseClaims(simulate, NULL_WORLDS.slice(0, 18), runs(100), 2_100_000, 250),
    falseClaims(simulate, [COMMON_REPLIES], runs(100), 2_200_000, 60),
    falseClaims(simulate, NULL_WORLDS.slice(5, 6), runs(20), 2_210_000, 1_000),
    plantedLines(simulate, runs(100)),
    shadowLines(simulate, runs(40)),
    mutationLines(simulate, runs(40)),
    verifyEvidenceChanges(runs, simulate),
    verifyVariants(runs, simulate),
    verifyEvidenceValidity(runs, simulate),
  ]);
  return parts.flat();
}
