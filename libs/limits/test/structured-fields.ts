/** One member of a list of RFC 8941: an integer and its parameters. */
export interface IntegerItem {
  readonly value: number;
  readonly parameters: Readonly<Record<string, number>>;
}

/** An sf-integer: at most fifteen digits, no fraction, no exponent, no plus. */
const INTEGER = '-?[0-9]{1,15}';
const PARAMETER = new RegExp(`^ *([a-z*][a-z0-9_.*-]*)=(${INTEGER})$`);
const ITEM = new RegExp(`^(${INTEGER})((?:; *[^;]+)*)$`);

/**
 * Parses a field as RFC 8941 says, as far as the RateLimit fields of draft-ietf-httpapi-ratelimit-headers-06 use
 * it: a list of integers with parameters that are integers.
 * @returns undefined where a parser of structured fields would refuse the whole field
 */
export function parseIntegerList(field: string | null): IntegerItem[] | undefined {
  const members = (field ?? '').replace(/^ +| +$/g, '').split(/[ \t]*,[ \t]*/);
  const items = members.map(parseItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** The same for a field that is one integer without parameters. */
export function parseInteger(field: string | null): number | undefined {
  const [item, ...others] = parseIntegerList(field) ?? [];
  return item && others.length === 0 && Object.keys(item.parameters).length === 0 ? item.value : undefined;
}

function parseItem(member: string): IntegerItem | undefined {
  const [, value, rest = ''] = ITEM.exec(member) ?? [];
  if (value === undefined) return undefined;
  const parameters = rest
    .split(';')
    .slice(1)
    .map((text) => PARAMETER.exec(text));
  if (!parameters.every((found) => found !== null)) return undefined;
  return {
    value: Number(value),
    parameters: Object.fromEntries(parameters.map(([, name = '', number]) => [name, Number(number)])),
  };
}
