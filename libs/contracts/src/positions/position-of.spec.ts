import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { POSITIONS } from '../outcomes/dimensions';
import { positionOf } from './position-of';
import { POSITION_RULES } from './position-rules';

const FIXTURE = join(__dirname, '../../fixtures/job-titles.json');
const titles = Object.entries(JSON.parse(readFileSync(FIXTURE, 'utf8')) as Record<string, string[]>).flatMap(
  ([bucket, list]) => list.map((title) => ({ title, bucket })),
);
const bucketOf = (title: string) => POSITIONS[positionOf(title).position];
/** The accuracy that README.md states. */
const STATED_ACCURACY = 0.98;

describe('buckets of job titles', () => {
  it(`puts at least ${STATED_ACCURACY * 100} % of the fixture's titles where a reader would`, () => {
    const wrong = titles.filter(({ title, bucket }) => bucketOf(title) !== bucket);
    expect(titles.length).toBeGreaterThanOrEqual(300);
    expect(
      wrong
        .map(({ title, bucket }) => `${title}: ${bucketOf(title)}, not ${bucket}`)
        .slice(0, titles.length * (1 - STATED_ACCURACY)),
    ).toEqual(wrong.map(({ title, bucket }) => `${title}: ${bucketOf(title)}, not ${bucket}`));
  });

  it.each([
    ['Portfolio Manager', 'manager'],
    ['Financial Analyst', 'individual_contributor'],
    ['HR Business Partner', 'individual_contributor'],
    ['Executive Assistant to the CEO', 'administrative'],
    ['Assistant Vice President', 'vp'],
    ['Product Owner', 'individual_contributor'],
    ['Founder & CEO', 'founder'],
    ['Former CEO, now Consultant', 'individual_contributor'],
    ['GESCHÄFTSFÜHRER', 'c_suite'],
  ])('%s is %s', (title, bucket) => {
    expect(bucketOf(title)).toBe(bucket);
  });

  it('knows no position without a title, and is sure of nothing then', () => {
    expect(positionOf(null)).toEqual({ position: 0, confidence: 0 });
    expect(positionOf('')).toEqual({ position: 0, confidence: 0 });
  });

  it('answers any text at all with a bucket and a confidence, the same one each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 256 }), (title) => {
        const guess = positionOf(title);
        expect(POSITIONS[guess.position]).toBeDefined();
        expect(guess.confidence).toBeGreaterThanOrEqual(0);
        expect(guess.confidence).toBeLessThanOrEqual(1);
        expect(positionOf(title)).toEqual(guess);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('has only rules for buckets of the contract, and is not held up by a hostile title', () => {
    for (const { position } of POSITION_RULES) expect(POSITIONS).toContain(position);
    // A pattern that backtracks needs minutes for these: the time-out of the test would stop it.
    for (let i = 0; i < 100; i += 1)
      positionOf(`${'chief executive assistant to '.repeat(8)}${i}`.slice(0, 256));
  });
});
