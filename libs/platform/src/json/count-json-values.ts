const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d];

/**
 * Counts brackets and commas before JSON is parsed: whatever walks the value later may recurse without fear, and what
 * that walk is going to cost is known.
 * @returns how many values there are at least, and no more than that but for empty objects and arrays
 */
export function countJsonValues(json: Buffer, maxDepth: number): number | 'too deep' {
  let values = 1;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values += 1;
    // Braces are brackets plus 0x20.
    else if (byte === OPEN || byte === OPEN + 0x20) depth += 1;
    else if (byte === CLOSE || byte === CLOSE + 0x20) depth -= 1;
    if (depth > maxDepth) return 'too deep';
  }
  return values;
}
