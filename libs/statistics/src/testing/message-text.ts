import { drawIndex, type Rng, seededRng } from '../random';

/** Level name per dimension, as chosen for one message. */
export type MessageFeatures = Readonly<Record<string, string>>;

/** All that a text can depend on beside the recipient and the randomness. */
const OF_TEXT = [
  ...['length', 'personalization', 'approach', 'social_proof', 'key_phrase', 'tone', 'readability'],
  ...['subject_length', 'subject_form'],
] as const;
type TextFeatures = { readonly [Name in (typeof OF_TEXT)[number]]?: string };
type Addressee = Pick<Recipient, 'firstName' | 'company'>;

export interface MessageText {
  readonly subject: string;
  readonly body: string;
  readonly wordCount: number;
}

/** Sentences from a small stock, or sentences that no other text has. */
export type Wording = 'stock' | 'own';

const SPACE = ' '.charCodeAt(0);

const pick = <T>(rng: Rng, items: readonly T[]): T => items[Math.floor(rng.next() * items.length)] as T;

const SUBJECT_WORDS = [
  'your',
  'plan',
  'for',
  'better',
  'team',
  'results',
  'this',
  'quarter',
  'with',
  'less',
  'manual',
  'work',
  'and',
  'clear',
  'reports',
];
/** Words in a subject, lowest and highest, by length level. */
const SUBJECT_SIZES: Readonly<Record<string, readonly [number, number]>> = {
  short: [2, 3],
  medium: [5, 6],
  long: [8, 9],
  very_long: [12, 14],
};
/** Words in a body, lowest and highest, by length level. */
const BODY_SIZES: Readonly<Record<string, readonly [number, number]>> = {
  under_50: [42, 49],
  '50_75': [50, 75],
  '76_125': [76, 125],
  '126_200': [126, 200],
  over_200: [201, 260],
};

/** Sentences that carry an approach; short, so that they fit the shortest body. */
const APPROACHES: Readonly<Record<string, readonly string[]>> = {
  problem: ['Many teams struggle with slow manual reporting.', 'A common problem is lost follow-up work.'],
  value: ['We help teams save hours every week.', 'You could increase output and save cost.'],
  question: ['How do you handle reporting today?', 'Who looks after reporting in your team?'],
  referral: ['A colleague suggested that I contact you.', 'Your colleague referred me to you.'],
};
const KEY_PHRASES: Readonly<Record<string, string>> = {
  quick_question: 'I have a quick question.',
  worth_a_chat: 'Would it be worth a chat?',
  free_trial: 'There is a free trial.',
};
const SOCIAL_PROOF = ['Customers like Contoso use it daily.', 'Companies like Fabrikam trust us already.'];
const TONE_CLOSES: Readonly<Record<string, string>> = {
  direct: 'Please reply this week.',
  conversational: 'Happy to hear your thoughts.',
  professional: 'I look forward to your reply.',
  empathetic: 'I know your days are full.',
  questioning: 'What do you think?',
};
const FILLERS: Readonly<Record<string, readonly string[]>> = {
  easy: [
    'It is fast and safe.',
    'You can start in a day.',
    'We set it up for you.',
    'Your team keeps its tools.',
    'It runs on its own.',
  ],
  standard: [
    'The software connects your existing tools and keeps every record in one place.',
    'Most teams finish the setup in a single afternoon without extra support.',
    'Managers get a clear weekly summary that shows where time was spent.',
  ],
  hard: [
    'Organisational heterogeneity notwithstanding, comprehensive interoperability considerations necessitate systematically coordinated infrastructure modernisation initiatives across departmental accountability boundaries and administrative jurisdictions.',
    'Consequently, multidimensional operational visibility facilitates continuous performance optimisation, simultaneously accommodating institutional compliance obligations and regulatory documentation requirements throughout geographically distributed organisational subsidiaries.',
  ],
};

/** Words between single or several spaces; hundreds of thousands of bodies are counted in a simulation. */
function wordsOf(text: string): number {
  let words = 0;
  let afterSpace = true;
  for (let i = 0; i < text.length; i++) {
    const isSpace = text.charCodeAt(i) === SPACE;
    if (afterSpace && !isSpace) words++;
    afterSpace = isSpace;
  }
  return words;
}
const between = (rng: Rng, [low, high]: readonly [number, number]): number =>
  low + Math.floor(rng.next() * (high - low + 1));
const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function subjectFor(features: TextFeatures, rng: Rng): string {
  const size = between(rng, SUBJECT_SIZES[features.subject_length ?? 'medium'] ?? [5, 6]);
  const start = Math.floor(rng.next() * SUBJECT_WORDS.length);
  const words = Array.from(
    { length: size },
    (_, i) => SUBJECT_WORDS[(start + i) % SUBJECT_WORDS.length] as string,
  );
  if (features.subject_form === 'number') words[0] = String(2 + Math.floor(rng.next() * 8));
  const end = features.subject_form === 'question' ? '?' : features.subject_form === 'exclamation' ? '!' : '';
  return capitalise(words.join(' ')) + end;
}

/** Per difficulty: sentences as words, and the words of which others are made. */
const STOCK = new Map(
  Object.entries(FILLERS).map(([level, sentences]) => [
    level,
    {
      sentences: sentences.map((sentence) => sentence.split(' ')),
      vocabulary: sentences.flatMap((sentence) => sentence.toLowerCase().replace(/[,.]/g, '').split(' ')),
    },
  ]),
);

/** A sentence of so many words that no other text has. */
function ownSentence(size: number, vocabulary: readonly string[], rng: Rng): string[] {
  const words = Array.from({ length: size }, () => pick(rng, vocabulary));
  words[0] = capitalise(words[0] as string);
  words[size - 1] += '.';
  return words;
}

/** Filler sentences, the last one cut, so that exactly `count` words are added. */
function fill(count: number, level: string, rng: Rng, wording: Wording): string[] {
  const { sentences = [], vocabulary = [] } = STOCK.get(level) ?? STOCK.get('standard') ?? {};
  const written: string[] = [];
  let left = count;
  while (left > 0) {
    const stock = pick(rng, sentences);
    const words = wording === 'stock' ? stock : ownSentence(stock.length, vocabulary, rng);
    if (words.length > left) written.push(`${words.slice(0, left).join(' ').replace(/[,.]$/, '')}.`);
    else written.push(words.join(' '));
    left -= words.length;
  }
  return written;
}

/**
 * Subject and body that really carry the chosen features: a question mark or a digit in the subject,
 * the body's stated number of words, the recipient's name or company, phrases of social proof,
 * approach and key phrase, and sentences of the wanted difficulty.
 *
 * @param features - level per dimension, in the names of `DIMENSIONS`
 * @param recipient - first name and company, used where the message is personal
 * @param rng - source of randomness
 * @param wording - `own`: in sentences that no other text has; default `stock`
 *
 * @example
 * composeMessage({ subject_form: 'question' }, { firstName: 'Ada', company: 'Northwind' }, seededRng(1)).subject.endsWith('?'); // true
 */
export function composeMessage(
  features: TextFeatures,
  recipient: Addressee,
  rng: Rng,
  wording: Wording = 'stock',
): MessageText {
  const wanted = between(rng, BODY_SIZES[features.length ?? '76_125'] ?? [76, 125]);
  const personalization = features.personalization ?? 'none';
  const opening = [personalization === 'none' ? 'Hello,' : `Hi ${recipient.firstName},`];
  if (personalization === 'company') opening.push(`I read about ${recipient.company} recently.`);
  const parts = [
    pick(rng, APPROACHES[features.approach ?? 'value'] ?? (APPROACHES.value as readonly string[])),
  ];
  if (features.social_proof === 'present') parts.push(pick(rng, SOCIAL_PROOF));
  const phrase = KEY_PHRASES[features.key_phrase ?? 'none'];
  const close = [
    ...(phrase ? [phrase] : []),
    TONE_CLOSES[features.tone ?? 'professional'] ?? '',
    'Kind regards',
  ];
  const fixed = [...opening, ...parts, ...close].reduce((sum, text) => sum + wordsOf(text), 0);
  const body = [
    ...opening,
    ...parts,
    ...fill(wanted - fixed, features.readability ?? 'standard', rng, wording),
    ...close,
  ]
    .filter(Boolean)
    .join(' ');
  return { subject: subjectFor(features, rng), body, wordCount: wordsOf(body) };
}

/** What a message says of its recipient: whoever it says the same of gets the same text. */
function namesIn({ personalization = 'none' }: TextFeatures, { firstName, company }: Addressee): string[] {
  if (personalization === 'none') return [];
  return personalization === 'company' ? [firstName, company] : [firstName];
}

/** Messages of a company, of whose planned texts each is composed once: thousands of recipients get the same few. */
export class ComposedMessages {
  private readonly planned = new Map<string, MessageText>();

  /** @param seed - of a planned text, which is in sentences of its own */
  compose(features: TextFeatures, recipient: Addressee, rng: Rng, seed?: number): MessageText {
    if (seed === undefined) return composeMessage(features, recipient, rng);
    const key = [seed, ...OF_TEXT.map((name) => features[name]), ...namesIn(features, recipient)].join('|');
    const known = this.planned.get(key);
    if (known) return known;
    const message = composeMessage(features, recipient, seededRng(seed), 'own');
    this.planned.set(key, message);
    return message;
  }
}

const TITLES: Readonly<Record<string, readonly string[]>> = {
  c_suite: ['Chief Executive Officer', 'CTO', 'Chief Financial Officer', 'COO'],
  vp: ['VP of Sales', 'Vice President Marketing', 'VP Engineering'],
  manager: ['Marketing Manager', 'Operations Manager', 'Sales Manager'],
  technical: ['Software Engineer', 'Data Engineer', 'Systems Architect'],
};

/** A job title that belongs to the position bucket. */
export const titleFor = (position: string, rng: Rng): string => pick(rng, TITLES[position] ?? ['Specialist']);

const FIRST_NAMES = ['Ada', 'Ben', 'Chloe', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const LAST_NAMES = ['Archer', 'Brandt', 'Costa', 'Dupont', 'Evans', 'Fischer', 'Garcia', 'Haas'];
const COMPANIES = [
  'Northwind',
  'Tailspin',
  'Litware',
  'Proseware',
  'Adatum',
  'Wingtip',
  'Lucerne',
  'Woodgrove',
];

export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly company: string;
}

/** An invented recipient; the number keeps addresses apart. Domains lie under .example, which never resolves. */
export function inventRecipient(number: number, rng: Rng): Recipient {
  const firstName = pick(rng, FIRST_NAMES);
  const company = COMPANIES[
    drawIndex(
      rng,
      COMPANIES.map(() => 1),
    )
  ] as string;
  const name = `${firstName}.${pick(rng, LAST_NAMES)}`.toLowerCase();
  return {
    id: `prospect-${number}`,
    email: `${name}.${number}@${company.toLowerCase()}.example`,
    firstName,
    company,
  };
}
