/** What a request of 500 legal events cannot exceed, with room to spare. Beyond it JSON.parse would stall. */
export interface StructureLimits {
  readonly depth: number;
  readonly members: number;
  readonly containers: number;
  /** Counted by the commas between them. */
  readonly values: number;
  /** Decimal digits of numbers: reading long ones costs the most of all. */
  readonly digits: number;
}

export const EVENTS_STRUCTURE: StructureLimits = {
  depth: 256,
  members: 160_000,
  containers: 350_000,
  values: 600_000,
  digits: 2_000_000,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;

/** What a byte means outside strings; both kinds of brackets are one. */
const PLAIN = 0;
const KINDS = new Uint8Array(256);
for (const byte of [QUOTE, COLON, COMMA]) KINDS[byte] = byte;
for (const byte of [OPEN_BRACE, OPEN_BRACKET]) KINDS[byte] = OPEN_BRACE;
for (const byte of [CLOSE_BRACE, CLOSE_BRACKET]) KINDS[byte] = CLOSE_BRACE;
KINDS.fill(ZERO, ZERO, NINE + 1);

/** How much of a string is looked through byte by byte before Node is asked. */
const NEAR_BYTES = 64;

/** Bodies of this size and fewer brackets parse in no time, whatever their structure. */
const SMALL_BODY_BYTES = 512 * 1_024;
const FEW_BRACKETS = 4_096;

/**
 * Whether a JSON text keeps within limits of nesting, members, containers, values and digits. Linear, no recursion,
 * and indifferent to whether the text is valid JSON: it runs before JSON.parse, which would spend half a
 * second on eight megabytes of brackets, of distinct keys or of numbers.
 */
export function keepsWithin(json: Buffer, limits: StructureLimits): boolean {
  // A text cannot nest deeper than it has brackets. Nearly every request passes here.
  if (json.length <= SMALL_BODY_BYTES && !hasMoreBracketsThan(json, FEW_BRACKETS)) return true;
  let depth = 0;
  let members = 0;
  let containers = 0;
  let values = 0;
  let digits = 0;
  for (let at = 0; at < json.length; at += 1) {
    const kind = KINDS[json[at] ?? 0];
    if (kind === PLAIN) continue;
    if (kind === QUOTE) at = endOfString(json, at);
    else if (kind === OPEN_BRACE) {
      depth += 1;
      containers += 1;
      if (depth > limits.depth || containers > limits.containers) return false;
    } else if (kind === CLOSE_BRACE) depth -= 1;
    else if (kind === COLON) members += 1;
    else if (kind === COMMA) values += 1;
    else digits += 1;
    if (members > limits.members || values > limits.values || digits > limits.digits) return false;
  }
  return true;
}

function hasMoreBracketsThan(json: Buffer, limit: number): boolean {
  let count = 0;
  for (const bracket of [OPEN_BRACE, OPEN_BRACKET]) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** Index of the closing quote of the string that opens at `start`, or the end of the text. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const near = Math.min(at + NEAR_BYTES, json.length);
    while (at < near && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
    if (at < near) return at;
    // A long string: its end is found faster by Node, unless that quote is escaped.
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    let escapes = quote;
    while (escapes > at && json[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
    at = quote + 1;
  }
  return at;
}
