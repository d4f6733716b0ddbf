import { aroundDay, PATTERN_CATALOGUE, type PatternRecord, type RateChange } from '@outcomes/contracts';
import { pico, table } from '../output/terminal';
import type { PlantedFacts } from './demonstration';
import type { FoundFacts } from './found-facts';
import type { SignIn } from './quickstart-state';

export interface Addresses {
  readonly readApi: string;
  readonly ingestApi: string;
  readonly mcp: string;
  readonly companyId: string;
  readonly apiKey: string;
  readonly consoleUrl: string;
  readonly signIn: SignIn;
}

/** Planted beside found. */
export function findingsReport(planted: PlantedFacts, found: FoundFacts): string {
  return [
    heading(
      'Patterns: planted against found (odds ratio, with a 95 % interval that stays valid under repeated looks)',
    ),
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
export function addressReport({ readApi, ingestApi, mcp, companyId, apiKey, ...rest }: Addresses): string {
  const mcpConfiguration = {
    mcpServers: { outcomes: { type: 'http', url: mcp, headers: { Authorization: `Bearer ${apiKey}` } } },
  };
  return [
    heading('Addresses'),
    table(
      ['what', 'where'],
      [
        ['console', rest.consoleUrl],
        ['sign in as', rest.signIn.email],
        ['password', rest.signIn.password],
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
    heading('Your own data: an export of Instantly, Smartlead, Apollo or another tool, or CSV of your own'),
    'npx outcomes company create "Your company"            # prints its API key, only once',
    'npx outcomes import export.csv --key svc_…            # first with --dry-run: it explains and sends nothing',
    heading('MCP client configuration'),
    JSON.stringify(mcpConfiguration, null, 2),
  ].join('\n');
}

function heading(text: string): string {
  return `\n${pico.bold(text)}`;
}

function patternTable(planted: PlantedFacts, patterns: readonly PatternRecord[]): string {
  const rows = planted.effects.map(({ code, logOddsRatio, varied }) => {
    const record = patterns.find((pattern) => pattern.code === code);
    return [
      code,
      titleOf(code),
      varied,
      logOddsRatio === 0 ? 'none' : Math.exp(logOddsRatio).toFixed(2),
      foundText(record),
      record?.evidence_tier ?? '-',
    ];
  });
  return table(['code', 'pattern', 'chosen', 'planted', 'found', 'evidence'], rows);
}

/** Why nothing is claimed, in a word or two; the record's message says it in full. */
const SILENCES: Readonly<Record<NonNullable<PatternRecord['reason']>, string>> = {
  no_data: 'cannot tell: nothing to compare with',
  varies_between_campaigns: 'cannot tell: varies only between campaigns',
  few_texts: 'cannot tell: rests on few texts',
  goes_with: 'cannot tell: coincides with another',
  changed: 'ended',
  survivors: 'described only',
  undecided: 'undecided so far',
  erased: 'erased',
};

function foundText(record: PatternRecord | undefined): string {
  const evidence = record?.evidence;
  if (!record || !evidence) return 'no message of this kind';
  const { odds_ratio, odds_ratio_low, odds_ratio_high } = evidence;
  const interval = `${odds_ratio_low.toFixed(2)} to ${odds_ratio_high.toFixed(2)}`;
  if (record.reason === undefined) return `${odds_ratio.toFixed(2)} (${interval})`;
  return record.reason === 'undecided' ? `undecided so far (${interval})` : SILENCES[record.reason];
}

/** Dimensions whose rates differ by the way the history is made. */
const DIFFERING_ANYWAY: readonly string[] = ['channel', 'sequence_step'];

/** What else is claimed: levels beside a planted one really do worse by comparison; all others would be errors. */
function otherClaims(planted: PlantedFacts, patterns: readonly PatternRecord[]): string[] {
  const plantedCodes = new Set(
    planted.effects.filter(({ logOddsRatio }) => logOddsRatio !== 0).map(({ code }) => code),
  );
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
    `Also claimed, where levels differ too (siblings of a planted one, channels, steps): ${listed(claims(true))}`,
    `Claimed among the ${nulls} codes without any effect: ${listed(claims(false))}`,
    'A directional claim is a first hint; up to half of such hints may be wrong.',
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
  return `Replies ${PLACES[channel]} ${verb}${rates} ${aroundDay(since)} (${whose})`;
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
