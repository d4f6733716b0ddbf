import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as statistics from '.';
import * as testing from './testing';

interface Example {
  readonly file: string;
  readonly code: string;
  readonly expected: string;
}

/** Every `@example` block: statements, the last one followed by `; // expected`. */
function examplesIn(file: string): Example[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/@example\n([\s\S]*?)\*\//g)].map((match) => {
    const text = (match[1] as string).replace(/^\s*\* ?/gm, '').trim();
    const split = text.lastIndexOf('; // ');
    if (split < 0) throw new Error(`${file}: an example must end with "; // expected"`);
    return { file, code: text.slice(0, split), expected: text.slice(split + 5) };
  });
}

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('verify'),
);
const examples = files.flatMap((name) => examplesIn(join(__dirname, name)));
const scope: Readonly<Record<string, unknown>> = { ...statistics, ...testing };

/** Runs one expression with everything that the library exports in scope. */
const evaluate = (code: string): unknown => runInNewContext(`(${code})`, { ...scope }) as unknown;

/** Numbers agree to the digits that the comment gives; an object may show only some of its fields. */
function expectMatch(actual: unknown, expected: unknown): void {
  if (typeof expected === 'number') {
    expect(typeof actual).toBe('number');
    const shown = String(expected)
      .replace(/e.*$/, '')
      .replace('-', '')
      .replace('.', '')
      .replace(/^0+/, '').length;
    const tolerance = Math.abs(expected) * 10 ** (1 - Math.min(10, Math.max(shown, 1)));
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(tolerance);
  } else if (Array.isArray(expected)) {
    expect(actual).toHaveLength(expected.length);
    expected.forEach((value, i) => expectMatch((actual as unknown[])[i], value));
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [key, value] of Object.entries(expected))
      expectMatch((actual as Record<string, unknown>)[key], value);
  } else expect(actual).toEqual(expected);
}

describe('every documented example runs and gives what its comment says', () => {
  it.each(examples.map((example) => [`${example.code.slice(0, 70)}`, example] as const))(
    '%s',
    (_, example) => {
      expectMatch(evaluate(example.code), evaluate(example.expected));
    },
  );

  it('every exported function is documented with an example', () => {
    const documented = new Set(examples.map(({ code }) => code));
    const missing = Object.entries({ ...statistics, ...testing })
      .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
      .map(([name]) => name)
      .filter((name) => ![...documented].some((code) => code.includes(`${name}(`)));
    expect(missing).toEqual([]);
  });
});
