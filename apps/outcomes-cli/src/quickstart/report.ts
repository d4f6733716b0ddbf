import { PATTERN_CATALOGUE, type PatternRecord, type RateChange } from '@outcomes/contracts';
import { pico, table } from '../output/terminal';
import type { PlantedFacts } from './demonstration';
import type { FoundFacts } from './found-facts';

export interface Addresses {
  readonly readApi: string;
  readonly ingestApi: string;
  readonly mcp: string;
  readonly companyId: string;
  readonly apiKey: string;
}

/** Planted beside found. */
export function findingsReport(planted: PlantedFacts, found: FoundFacts): string {
  return [
    heading('Patterns: planted beside found (odds ratio, 95 % interval)'),
    patternTable(planted, found.patterns),
    ...otherClaims(planted, found.patterns),
    heading('Reply rates per channel and position, since the change'),
    armTable(planted, found),
    heading('Changes of the reply rate'),
    `planted: reply rate ${planted.drift.direction} on ${planted.drift.since}`,
    ...ledgerLines(found.drift),
  ].join('\n');
}

/** Where everything is, and what to paste. */
export function addressReport({ readApi, ingestApi, mcp, companyId, apiKey }: Addresses): string {
  const mcpConfiguration = {
    mcpServers: { outcomes: { type: 'http', url: mcp, headers: { Authorization: `Bearer ${apiKey}` } } },
  };
  return [
    heading('Addresses'),
    table(
      ['what', 'where'],
      [
        ['read-api', readApi],
        ['ingest-api', ingestApi],
        ['mcp-gateway', mcp],
        ['company', companyId],
        ['API key', apiKey],
      ],
    ),
    heading('Try'),
    `curl -H "Authorization: Bearer ${apiKey}" ${readApi}/health`,
    `curl -H "Authorization: Bearer ${apiKey}" ${readApi}/patterns`,
    `curl -H "Authorization: Bearer ${apiKey}" ${readApi}/intelligence/bandit`,
    `curl -X POST -H "Authorization: Bearer ${apiKey}" -H "Content-Type: application/json" \\`,
    `  -d '{"channel":"email","sequence_step":0,"recipient_id":"r-1","sent_at":"2026-01-05T09:00:00Z","outcome_at":"2026-01-06T10:00:00Z","outcome":"responded"}' \\`,
    `  ${ingestApi}/ingest/events`,
    heading('MCP client configuration'),
    JSON.stringify(mcpConfiguration, null, 2),
  ].join('\n');
}

function heading(text: string): string {
  return `\n${pico.bold(text)}`;
}

function patternTable(planted: PlantedFacts, patterns: readonly PatternRecord[]): string {
  const rows = planted.effects.map(({ code, logOddsRatio }) => {
    const record = patterns.find((pattern) => pattern.code === code);
    const evidence = record?.evidence;
    return [
      code,
      titleOf(code),
      Math.exp(logOddsRatio).toFixed(2),
      evidence
        ? `${evidence.odds_ratio.toFixed(2)} (${evidence.odds_ratio_low.toFixed(2)} to ${evidence.odds_ratio_high.toFixed(2)})`
        : 'no evidence yet',
      record?.evidence_tier ?? '-',
    ];
  });
  return table(['code', 'pattern', 'planted', 'found', 'evidence'], rows);
}

/** Dimensions whose rates differ by the way the history is made. */
const DIFFERING_ANYWAY: readonly string[] = ['channel', 'sequence_step'];

/** What else is claimed: levels beside a planted one really do worse by comparison; all others would be errors. */
function otherClaims(planted: PlantedFacts, patterns: readonly PatternRecord[]): string[] {
  const plantedCodes = new Set(planted.effects.map(({ code }) => code));
  const differing = new Set(DIFFERING_ANYWAY);
  for (const { code, dimension } of PATTERN_CATALOGUE) if (plantedCodes.has(code)) differing.add(dimension);
  const others = PATTERN_CATALOGUE.filter(({ code }) => !plantedCodes.has(code));
  const claims = (differs: boolean) =>
    others
      .filter(({ dimension }) => differing.has(dimension) === differs)
      .map(({ code }) => patterns.find((record) => record.code === code && (record.tier ?? 0) >= 1))
      .filter((record) => record !== undefined)
      .map(({ code, evidence_tier: tier }) => `${code} ${tier}`);
  const nulls = others.filter(({ dimension }) => !differing.has(dimension)).length;
  const listed = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  return [
    `Claimed beside them, where levels differ too (siblings of a planted one, channels, steps): ${listed(claims(true))}`,
    `Claimed among the ${nulls} codes without any effect: ${listed(claims(false))}`,
    'A directional claim is a hint for a test; one in five may be wrong.',
  ];
}

function armTable(planted: PlantedFacts, { arms }: FoundFacts): string {
  const rows = arms.map((arm) => {
    const truth = planted.arms.find(
      ({ channel, position }) => channel === arm.channel && position === arm.position,
    );
    const inside = truth && truth.rate >= arm.ci_low && truth.rate <= arm.ci_high;
    return [
      arm.channel,
      arm.position,
      truth ? percent(truth.rate) : '-',
      percent(arm.posterior_mean),
      `${percent(arm.ci_low)} to ${percent(arm.ci_high)}`,
      truth ? (inside ? 'yes' : 'no') : '-',
      arm.observations,
    ];
  });
  return table(['channel', 'position', 'planted', 'found', '95 % interval', 'inside', 'messages'], rows);
}

/** The ledger, newest first, and what it means for the arms above. */
function ledgerLines({ changes, tests, recommended_action: action }: FoundFacts['drift']): string[] {
  const looks = tests.map(({ channel }) => channel).join(', ') || 'no channel';
  const found = changes.map((change) => `found: ${changeLine(change)}`);
  return [...(found.length > 0 ? found : [`found: no change (${looks})`]), `to do: ${action}`];
}

function changeLine({ channel, since, direction, before, after, scope }: RateChange): string {
  const verb = direction === 'down' ? 'fell' : 'rose';
  const rates =
    before.value === null || after.value === null
      ? ''
      : ` from ${percent(before.value)} to ${percent(after.value)}`;
  const whose = scope.kind === 'channel' ? 'whole channel' : `${scope.kind} ${scope.value ?? 'not named'}`;
  return `Replies ${PLACES[channel]} ${verb}${rates} on ${since} (${whose})`;
}

const PLACES: Readonly<Record<RateChange['channel'], string>> = {
  email: 'by email',
  linkedin: 'on LinkedIn',
};

function titleOf(code: string): string {
  return PATTERN_CATALOGUE.find((pattern) => pattern.code === code)?.title ?? code;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)}%`;
}
