import fc from 'fast-check';
import { seededRng } from '../random';
import { generateCohorts, planCompany } from '../testing';
import { assessPatterns, judgePatterns } from './assess-patterns';
import { patternDesign } from './pattern-design';
import { PatternSums } from './pattern-sums';
import { PatternTest } from './pattern-test';
import type { Cohort } from './pattern-types';

const rng = seededRng(5);
const model = planCompany({ baseRate: 0.08, effects: { 'tone.direct': 0.8 } }, rng);
const cohorts = generateCohorts(model, { days: 60, sendsPerDay: 90 }, rng);
const design = patternDesign(model.codes);
const days = [...new Set(cohorts.map(({ day }) => day))];
const upTo = (day: number): Cohort[] => cohorts.filter((cohort) => cohort.day <= day);
const evidenceOf = (some: readonly Cohort[]) => {
  const test = new PatternTest(design);
  for (const cohort of some) test.add(cohort);
  return test.evidence();
};

describe('a pattern test that is saved and continued', () => {
  it('goes on to the same numbers, bit for bit, wherever it was saved and asked', () => {
    const saves = fc.array(fc.constantFrom(...days), { maxLength: 6 });
    const whole = evidenceOf(cohorts);
    fc.assert(
      fc.property(saves, saves, (savedOn, askedOn) => {
        let test = new PatternTest(design);
        cohorts.forEach((cohort, i) => {
          test.add(cohort);
          if (cohorts[i + 1]?.day === cohort.day) return;
          if (askedOn.includes(cohort.day)) test.evidence();
          if (savedOn.includes(cohort.day)) test = PatternTest.restore(design, test.save());
        });
        expect(test.evidence()).toEqual(whole);
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  it('says on each day what a test of the days so far says', () => {
    const test = new PatternTest(design);
    for (const day of days.slice(0, 30)) {
      for (const cohort of cohorts.filter((one) => one.day === day)) test.add(cohort);
      expect(test.evidence()).toEqual(evidenceOf(upTo(day)));
    }
  });

  it('does not grow with the days', () => {
    const sizes = [30, 59].map((at) => {
      const test = new PatternTest(design);
      for (const cohort of upTo(days[at] as number)) test.add(cohort);
      return test.save().length;
    });
    expect(sizes[1]).toBeLessThan((sizes[0] as number) * 1.5);
  });

  it('starts from nothing with nothing', () => {
    const restored = PatternTest.restore(design, new PatternTest(design).save());
    expect(restored.evidence()).toEqual(new PatternTest(design).evidence());
  });

  it('refuses a state of another catalogue, and days that go back', () => {
    const state = new PatternTest(design).save();
    const refused = expect.objectContaining({ code: 'size' });
    expect(() => PatternTest.restore(design, state.slice(1))).toThrow(refused);
    expect(() => PatternTest.restore(patternDesign(model.codes.slice(1)), state)).toThrow(refused);
    const test = new PatternTest(design);
    test.add(cohorts.at(-1) as Cohort);
    expect(() => test.add(cohorts[0] as Cohort)).toThrow(expect.objectContaining({ code: 'order' }));
  });
});

describe('sums of weeks', () => {
  it('add up to those of the whole, and judge as assessPatterns does', () => {
    const weeks = Map.groupBy(cohorts, ({ day }) => Math.floor(day / 7));
    const sums = PatternSums.none(design);
    for (const week of weeks.values()) sums.add(PatternSums.ofWeek(design, week).values);
    expect(sums.values).toEqual(PatternSums.ofWeeks(design, cohorts).values);
    const judged = judgePatterns(design, { tests: evidenceOf(cohorts), sums });
    const assessed = assessPatterns({ cohorts, codes: model.codes });
    expect(judged).toEqual(assessed.map((one) => ({ ...one, crossCheckLogOr: null })));
  });
});
