import { DAY_MS, questionNamed, type EnvelopeFrame } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { exchange, rpc } from './exchange';
import { eventsOf, WORLDS } from './generated-worlds';
import { Installation } from './installation';
import { OptOutServices } from './opt-out-company';
import { call, read, type Asked, type Document, type Surfaces, type Voice } from './voices/voices';

const HOUR_MS = 3_600_000;
const CAMPAIGN = 'only-email';
const PATIENCE_MS = 240_000;

/** What the freshness reference speaks of, in its words, and where answers have it. */
const SPOKEN_OF: Readonly<Record<string, (said: Said) => unknown>> = {
  patterns: ({ patterns }) => patterns,
  recommendations: ({ recommendations }) => recommendations.recommendations,
  drift_state: ({ drift }) => drift.drift_state,
  changes: ({ drift }) => drift.changes,
  variants: ({ health }) => health.variants,
  decisions: ({ decisions }) => decisions.decisions.map(frozenPart),
  calibration: ({ calibration: { as_of: _now, ...calibration } }) => calibration,
  arms: ({ bandit }) => bandit.arms,
  campaigns: ({ overview, list, health }) =>
    [overview.outcomes, list.campaigns, health.outcomes, health.bounce_rate].map((one) =>
      JSON.stringify(one),
    ),
  'recent and reference': ({ drift }) =>
    drift.tests.map(({ recent, reference }: Document) => ({ recent, reference })),
  'volume of a campaign': ({ recommendations }) => recommendations.volume,
  'history of a contact': ({ contact }) => contact.history,
  'outcome of a decision': ({ followed }) => followed.outcome,
  can_contact: ({ contact }) => contact.can_contact,
  block_reasons: ({ contact }) => contact.block_reasons,
  'the audit log': ({ audit }) => audit.total_count,
};

/** What answers say at one moment. */
type Said = Readonly<Record<string, Document>>;

describe('what the freshness reference says of answers between two runs', () => {
  let installation: Installation;
  let services: OptOutServices;
  let surfaces: Surfaces;
  let scope: TenantScope;
  let reference = '';
  const said: Record<'run' | 'accepted' | 'counted' | 'nextRun', Said> = {} as never;
  const frames: Record<keyof typeof said, Map<string, EnvelopeFrame>> = {} as never;

  beforeAll(async () => {
    installation = await Installation.join('console');
    services = await OptOutServices.start(installation.database);
    const [rest, mcp] = [installation.portOf('read-api'), installation.portOf('mcp-gateway')];
    const ranAt = Date.now() - 2 * HOUR_MS;
    services.now = ranAt;
    scope = await services.newCompany();
    surfaces = { rest, mcp, apiKey: (await installation.addKey(scope.companyId)).apiKey };
    const uri = 'svc://reference/freshness';
    const { body } = await exchange(rpc(mcp, surfaces.apiKey, 'resources/read', { uri }));
    reference = body.result.contents[0].text;

    const events = eventsOf(WORLDS['nothing ever changed'], ranAt);
    for (let from = 0; from < events.length; from += 500)
      await services.send(scope, events.slice(from, from + 500));
    await services.process(scope);
    await services.analyse(scope);
    const [decision] = (await read(surfaces, 'WorkflowDecisions', {})).data.decisions;
    const leaver = events.findLast(({ outcome, metadata }) => outcome === 'no_response' && isOf(metadata));
    const ask = (at: keyof typeof said) => asked(at, String(leaver?.recipient_id), decision);
    await ask('run');

    services.now = ranAt + HOUR_MS;
    await services.send(scope, sinceTheRun(events, { ranAt, leaver, decision }));
    await ask('accepted');
    await services.process(scope);
    await services.refreshArms(scope);
    await ask('counted');
    services.now = ranAt + HOUR_MS + 60_000;
    await services.analyse(scope);
    await ask('nextRun');
  }, PATIENCE_MS);
  afterAll(() => services.stop());

  async function asked(at: keyof typeof said, contact_id: string, decision: Document): Promise<void> {
    const own = new Map<string, EnvelopeFrame>();
    const answer = async (question: Voice['question'], given: Asked = {}) => {
      const ways = [await read(surfaces, question, given)];
      if (questionNamed(question).tool) ways.push(await call(surfaces, question, given));
      for (const { way, frame } of ways)
        if (frame) own.set(`${question} ${JSON.stringify(given)} over ${way}`, frame);
      return ways[0]?.data;
    };
    const { decision_id, contact_id: decided } = decision;
    const ofDecided = (await answer('WorkflowDecisions', { contact_id: decided })).decisions;
    said[at] = {
      patterns: await answer('Patterns'),
      recommendations: await answer('CampaignRecommendations', { campaign_id: CAMPAIGN }),
      drift: await answer('DriftState'),
      health: await answer('CampaignHealth', { campaign_id: CAMPAIGN }),
      overview: await answer('CampaignHealth'),
      list: await answer('CampaignList'),
      decisions: await answer('WorkflowDecisions', { limit: 50 }),
      followed: ofDecided.find((one: Document) => one.decision_id === decision_id),
      calibration: await answer('Calibration'),
      bandit: await answer('BanditState'),
      contact: await answer('RecipientIntelligence', { contact_id }),
      audit: await answer('ActionAuditLog'),
    };
    frames[at] = own;
  }

  /** The things of a row of the table: what changes with one matter. */
  const changingWith = (matter: string): string[] => {
    const [, things = ''] = new RegExp(`^\\| ${matter} \\| (.*) \\|$`, 'm').exec(reference) ?? [];
    return things.split(', ');
  };
  const of = (thing: string, at: keyof typeof said): unknown => SPOKEN_OF[thing]?.(said[at]);

  it('names nothing that is not looked at here', () => {
    const named = ['a run', 'a counted batch', 'an accepted event', 'a call'].flatMap(changingWith);
    expect(named.sort()).toEqual(Object.keys(SPOKEN_OF).sort());
  });

  it('changes with a run, and not between two', () => {
    for (const thing of changingWith('a run'))
      for (const at of ['accepted', 'counted'] as const)
        expect([thing, of(thing, at)]).toEqual([thing, of(thing, 'run')]);
    expect(of('patterns', 'nextRun')).not.toEqual(of('patterns', 'run'));
  });

  it('changes with a counted batch, and not before', () => {
    for (const thing of changingWith('a counted batch')) {
      expect([thing, of(thing, 'accepted')]).toEqual([thing, of(thing, 'run')]);
      expect([thing, of(thing, 'counted')]).not.toEqual([thing, of(thing, 'run')]);
    }
  });

  it('changes with an accepted event', () => {
    for (const thing of changingWith('an accepted event'))
      expect([thing, of(thing, 'accepted')]).not.toEqual([thing, of(thing, 'run')]);
  });

  it('changes with a call', () => {
    for (const thing of changingWith('a call'))
      expect([thing, of(thing, 'accepted')]).not.toEqual([thing, of(thing, 'run')]);
  });

  it('has the times of the last run in every answer, but for what the arms rest on', async () => {
    const received = await installation.database.query<{ at: Date }>(
      'SELECT received_at AS at FROM ingest_batches WHERE company_id = $1 ORDER BY received_at',
      [scope.companyId],
    );
    const [first, last] = [received.at(0), received.at(-1)].map((row) => row?.at.toISOString());
    expect(first).not.toBe(last);
    for (const at of ['run', 'accepted', 'counted', 'nextRun'] as const) {
      const [runTimes] = frames[at].values();
      const { analysed_at, newest_outcome_at } = runTimes as EnvelopeFrame;
      expect(frames[at].size).toBeGreaterThan(18);
      for (const [voice, frame] of frames[at]) {
        const isNewer = at === 'nextRun' || (at === 'counted' && voice.startsWith('BanditState'));
        expect({ voice, ...timesIn(frame) }).toEqual({
          ...{ voice, analysed_at, newest_outcome_at },
          data_as_of: isNewer ? last : first,
        });
      }
    }
  });
});

const isOf = (metadata: unknown): boolean => (metadata as { campaign_id?: string }).campaign_id === CAMPAIGN;

const timesIn = ({ analysed_at, data_as_of, newest_outcome_at }: EnvelopeFrame) => ({
  ...{ analysed_at, data_as_of, newest_outcome_at },
});

/** What a decision says of itself, whatever came of it. */
const frozenPart = ({
  decision_id,
  decided_at,
  action,
  channel,
  reply_probability,
  rationale,
}: Document) => ({
  ...{ decision_id, decided_at, action, channel, reply_probability, rationale },
});

/**
 * A wave of bounces and late replies of a campaign, an opt-out, a message that nobody had reported, and one to somebody
 * who was decided about, with its answer.
 */
function sinceTheRun(
  events: readonly Record<string, unknown>[],
  about: {
    readonly ranAt: number;
    readonly leaver: Record<string, unknown> | undefined;
    readonly decision: Document;
  },
): Record<string, unknown>[] {
  const { ranAt, leaver, decision } = about;
  const at = (ms: number) => new Date(ms).toISOString();
  const outcome_at = at(ranAt + HOUR_MS / 2);
  const silent = events.filter(({ outcome, metadata }) => outcome === 'no_response' && isOf(metadata));
  const sentFrom = (days: number) =>
    silent.filter((event) => event !== leaver && Date.parse(String(event.sent_at)) > ranAt - days * DAY_MS);
  const bounced = sentFrom(10).slice(0, 30);
  const replied = sentFrom(40).slice(0, 40);
  return [
    ...bounced.map((event) => ({ ...event, outcome: 'bounced', outcome_at })),
    ...replied.map((event) => ({ ...event, outcome: 'responded', outcome_at })),
    { ...leaver, outcome: 'unsubscribed', outcome_at },
    {
      ...leaver,
      ...{ recipient_id: 'reported late', sent_at: at(ranAt - 5 * DAY_MS) },
      ...{ outcome: 'no_response', outcome_at: at(ranAt - 5 * DAY_MS) },
    },
    {
      ...events.find(({ recipient_id }) => recipient_id === decision.contact_id),
      ...{ sequence_step: 1, sent_at: at(ranAt + HOUR_MS / 4), outcome: 'responded', outcome_at },
    },
  ];
}
