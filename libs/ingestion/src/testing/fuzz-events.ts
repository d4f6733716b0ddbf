/** An event as it travels, most of it legal, and the parts of it that may be anything. */
export interface FuzzEvent {
  /** JSON text of the whole event. */
  readonly json: string;
  /** JSON text of each part that was made up, by field. */
  readonly parts: Readonly<Record<string, string>>;
}

type Chance = () => number;
type Draw = (chance: Chance) => string;

/** Sends before and outcomes after every date that is drawn, so that no pair of times is in the wrong order. */
const LEGAL: Readonly<Record<string, string>> = {
  channel: '"email"',
  sequence_step: '0',
  sent_at: '"1990-06-01T09:30:00Z"',
  outcome_at: '"2025-06-08T09:30:00Z"',
  outcome: '"no_response"',
};

const pick =
  <Value>(...values: readonly Value[]) =>
  (chance: Chance): Value =>
    values[Math.floor(chance() * values.length)] as Value;
const upTo = (chance: Chance, most: number) => Math.floor(chance() * (most + 1));
const two = (chance: Chance, most: number) => String(upTo(chance, most)).padStart(2, '0');
const json = (value: unknown) => JSON.stringify(value);

/** Texts that look like times, many of them wrong in ways that Postgres and JavaScript judge differently. */
const oddTimes = pick(
  '2024-W23-1',
  '2024-152',
  'now',
  'infinity',
  'epoch',
  '2024-06-01T23:59:60Z',
  '',
  '2024-06-01 ',
);
const years = pick('2024', '2024', '2023', '1991', '1989', '1900', '0000', '9999', '02024');
const time: Draw = (chance) => {
  if (chance() < 0.1) return json(oddTimes(chance));
  const date = `${years(chance)}-${two(chance, 14)}-${two(chance, 33)}`;
  return json(chance() < 0.3 ? date : date + clock(chance));
};

function clock(chance: Chance): string {
  const seconds = chance() < 0.3 ? '' : `:${two(chance, 61)}${pick('', '.5', '.123456789', '.')(chance)}`;
  const offset = `${pick('+', '-')(chance)}${two(chance, 16)}:${pick('00', '30', '59', '60')(chance)}`;
  const zone = chance() < 0.5 ? pick('', 'Z', 'z', '+00', '+0530')(chance) : offset;
  return `T${two(chance, 25)}:${two(chance, 61)}${seconds}${zone}`;
}

const oddTexts = pick(
  ...['\0', '\ud800', '\udc00x', 'ok\ud83d', '\ufeff', '\uffff', '{}', '\\', '"', 'NULL', '\x7f\x1b', ''],
  ...['a'.repeat(256), 'a'.repeat(257), '😀'.repeat(256), '😀'.repeat(257), 'İ', 'e\u0301'],
);
const anyText = (chance: Chance): string =>
  chance() < 0.4
    ? oddTexts(chance)
    : Array.from({ length: upTo(chance, 12) }, () =>
        String.fromCharCode(upTo(chance, chance() < 0.5 ? 0x7f : 0xffff)),
      ).join('');
const text: Draw = (chance) => (chance() < 0.05 ? anyJson(chance, 0) : json(anyText(chance)));

const oddNumbers = pick(
  ...[
    '2147483648',
    '2147483647',
    '-1',
    '1.5',
    '5e0',
    '1e200',
    '1e400',
    '1e200000',
    '50',
    '51',
    '32768',
    '-0',
  ],
  ...['"5"', 'true', 'null', '9007199254740993'],
);
const integer: Draw = (chance) => (chance() < 0.6 ? oddNumbers(chance) : String(upTo(chance, 100) - 10));

/** Any JSON value, as text. */
function anyJson(chance: Chance, depth: number): string {
  const kind = upTo(chance, depth > 9 ? 3 : 6);
  if (kind === 0) return json(anyText(chance));
  if (kind === 1) return oddNumbers(chance);
  if (kind < 4) return pick('null', 'true', '0', '"x"')(chance);
  const length = upTo(chance, 3);
  if (kind === 4) return `[${Array.from({ length }, () => anyJson(chance, depth + 1)).join(',')}]`;
  return anyObject(chance, depth, length);
}

/**
 * No key twice, for JSON.parse keeps the last and Postgres judges all of them. And no backslash in one: once JSON.parse
 * of Node 24 has seen a key that is a backslash, it takes a key of one character that is written as an escape in that
 * place for a backslash, too. Both verdicts would be about another document than the one that was sent.
 */
function keysOf(chance: Chance, length: number): Set<string> {
  const key = () => (chance() < 0.03 ? '__proto__' : anyText(chance).replaceAll('\\', '/'));
  return new Set(Array.from({ length }, key));
}

function anyObject(chance: Chance, depth: number, length: number): string {
  const members = [...keysOf(chance, length)].map((key) => `${json(key)}:${anyJson(chance, depth + 1)}`);
  return `{${members.join(',')}}`;
}

const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const metadata: Draw = (chance) => {
  if (chance() < 0.05) return anyJson(chance, 0);
  return chance() < 0.1 ? nested(1 + upTo(chance, 9)) : anyObject(chance, 0, upTo(chance, 3));
};

const hexadecimal = (chance: Chance, length: number) =>
  Array.from({ length }, () => upTo(chance, 15).toString(16)).join('');
const uuid: Draw = (chance) => {
  const legal = [8, 4, 4, 4, 12].map((length) => hexadecimal(chance, length)).join('-');
  const form = pick(
    legal,
    legal,
    legal.toUpperCase(),
    `{${legal}}`,
    legal.replaceAll('-', ''),
    `${legal} `,
  )(chance);
  return chance() < 0.9 ? json(form) : text(chance);
};

const word = (...legal: readonly string[]): Draw => {
  const words = pick(...legal, ...legal, 'responded', 'Sent', 'exact ', '');
  return (chance) => (chance() < 0.8 ? json(words(chance)) : text(chance));
};

const DRAWS: Readonly<Record<string, Draw>> = {
  ...{
    recipient_id: text,
    thread_id: text,
    subject: text,
    body: text,
    industry: text,
    recipient_position: text,
    message_ref: text,
  },
  ...{
    fact: word('sent', 'opened', 'clicked', 'auto_replied', 'meeting_booked'),
    outcome_at_is: word('exact', 'not_before', 'not_after'),
  },
  ...{ sent_at: time, outcome_at: time },
  ...{ word_count: integer, sequence_step: integer, metadata, event_id: uuid },
};
const FIELDS = Object.keys(DRAWS);

/**
 * Legal events of which one or two parts may be anything: what holds the validation's verdict against Postgres'.
 * @param count - how many
 * @param seed - the same events for the same seed
 */
export function fuzzEvents(count: number, seed: number): FuzzEvent[] {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, (_, n) => {
    const fields = [pick(...FIELDS)(chance), ...(chance() < 0.5 ? [pick(...FIELDS)(chance)] : [])];
    // Two wild times would have an order that each verdict has an opinion about.
    const chosen = fields.includes('sent_at') ? fields.filter((field) => field !== 'outcome_at') : fields;
    const parts = Object.fromEntries(chosen.map((field) => [field, (DRAWS[field] as Draw)(chance)]));
    // Each is about a message of its own: two that share one would have one id.
    const own = { recipient_id: json(`prospect-${n}`), thread_id: json(`thread-${n}`) };
    const { outcome, ...others } = LEGAL;
    const legal = 'fact' in parts ? others : { ...others, outcome };
    const members = Object.entries({ ...legal, ...own, ...parts }).map(([field, raw]) => `"${field}":${raw}`);
    return { json: `{${members.join(',')}}`, parts };
  });
}

/** The mulberry32 generator. */
function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
