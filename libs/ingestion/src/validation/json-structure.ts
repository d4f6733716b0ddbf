/** What a request of 500 legal events cannot exceed, with room to spare. Beyond it JSON.parse would stall. */
export interface StructureLimits {
  readonly depth: number;
  readonly members: number;
  readonly containers: number;
}

export const EVENTS_STRUCTURE: StructureLimits = { depth: 256, members: 160_000, containers: 350_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Bodies of this size and fewer brackets parse in no time, whatever their structure. */
const SMALL_BODY_BYTES = 512 * 1_024;
const FEW_BRACKETS = 4_096;

/**
 * Whether a JSON text keeps within limits of nesting, object members and containers. Linear, no recursion,
 * and indifferent to whether the text is valid JSON: it runs before JSON.parse, which would spend half a
 * second on eight megabytes of brackets or of distinct keys.
 */
export function keepsWithin(json: Buffer, limits: StructureLimits): boolean {
  // A text cannot nest deeper than it has brackets. Nearly every request passes here.
  if (json.length <= SMALL_BODY_BYTES && !hasMoreBracketsThan(json, FEW_BRACKETS)) return true;
  let depth = 0;
  let members = 0;
  let containers = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        containers += 1;
        if (depth > limits.depth || containers > limits.containers) return false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COLON:
        members += 1;
        if (members > limits.members) return false;
        break;
      default:
    }
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
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
