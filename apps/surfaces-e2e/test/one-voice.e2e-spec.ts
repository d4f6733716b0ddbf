import { inForm, isFullForm, noteFigures } from '@outcomes/testing';
import { eachOf } from './exchange';
import { Installation } from './installation';
import { OptOutServices } from './opt-out-company';
import { askedEverything } from './voices/asked-everything';
import { judged, type Contradiction } from './voices/comparing';
import { COMPANY_KIND_NAMES } from './voices/company-kinds';
import { madeCompany } from './voices/made-company';
import { plannedCompany } from './voices/planned-company';
import { PLANTED_CONTRADICTIONS } from './voices/planted-contradictions';
import { planted } from './voices/planting';
import { RULES } from './voices/rules';
import { reportProgress } from './voices/progress';

/** One company of each kind, or forty-eight; the seeds count on from here. */
const FIRST_SEED = 1_000_000;
const COMPANIES = inForm(COMPANY_KIND_NAMES.length, 48 * COMPANY_KIND_NAMES.length);
const AT_ONCE = 3;
/** Of a contradiction that is everywhere, this many are shown. */
const MAX_SHOWN = 25;
const PATIENCE_MS = inForm(240_000, 3_300_000);

jest.setTimeout(PATIENCE_MS);

describe('every surface asked about generated companies', () => {
  let installation: Installation;
  let services: OptOutServices;
  const comparisons = new Map(RULES.map(({ name }) => [name, 0]));
  let answers = 0;
  const contradictions: Contradiction[] = [];
  const finds = new Map<string, boolean>();

  beforeAll(async () => {
    installation = await Installation.join('console');
    services = await OptOutServices.start(installation.database);
    const ports = { rest: installation.portOf('read-api'), mcp: installation.portOf('mcp-gateway') };
    const seeds = Array.from({ length: COMPANIES }, (_, n) => FIRST_SEED + n);
    const report = isFullForm() ? reportProgress('companies', COMPANIES) : undefined;
    let making = Promise.resolve();
    await eachOf(seeds, AT_ONCE, async (seed) => {
      const plan = plannedCompany(seed, Date.now());
      // One clock serves all that is made, so companies are made one after the other, and read meanwhile.
      const made = making.then(() => madeCompany(services, plan));
      making = made.then(() => undefined);
      const { companyId } = await made;
      const { apiKey } = await installation.addKey(companyId);
      const said = await askedEverything({ ...ports, apiKey }, companyId, plan);
      const verdict = judged(RULES, said);
      for (const [name, many] of verdict.comparisons)
        comparisons.set(name, (comparisons.get(name) ?? 0) + many);
      answers += said.voices.length + said.edges.length;
      for (const found of verdict.contradictions)
        contradictions.push({ ...found, what: `seed ${seed} (${plan.kind}): ${found.what}` });
      for (const planting of PLANTED_CONTRADICTIONS) {
        const wrong = finds.get(planting.name) === true ? undefined : planted(planting, said);
        if (!wrong) continue;
        const rule = RULES.filter(({ name }) => name === planting.foundBy);
        finds.set(planting.name, judged(rule, wrong).contradictions.length > 0);
      }
      report?.(`${contradictions.length} contradictions`);
    });
  }, PATIENCE_MS);
  afterAll(() => services.stop());

  it('hears no contradiction', () => {
    const all = [...comparisons.values()].reduce((sum, many) => sum + many, 0);
    noteFigures(
      `${COMPANIES} companies (seeds ${FIRST_SEED} to ${FIRST_SEED + COMPANIES - 1}), ${answers} answers, ` +
        `${all} comparisons by ${RULES.length} rules: ${contradictions.length} contradictions`,
    );
    expect(contradictions.slice(0, MAX_SHOWN)).toEqual([]);
  });

  it.each(RULES)('compares something: $name', ({ name }) => {
    noteFigures(`${comparisons.get(name)} comparisons`);
    expect(comparisons.get(name)).toBeGreaterThan(COMPANIES / 10);
  });

  it.each(PLANTED_CONTRADICTIONS)('hears the one that is planted: $name', ({ name, foundBy }) => {
    expect([name, finds.get(name)]).toEqual([name, true]);
    noteFigures(`found by the rule "${foundBy}"`);
  });
});
