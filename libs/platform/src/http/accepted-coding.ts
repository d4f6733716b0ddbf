/**
 * The content coding of an answer (RFC 9110, 12.5.3).
 * @param header - Accept-Encoding of the request
 * @param offered - what the answer could be sent in, the best first
 * @returns undefined where it is to be sent as it is
 */
export function acceptedCoding<Coding extends string>(
  header: string | string[] | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  if (header === undefined || header.length === 0) return undefined;
  const weights = new Map<string, number>();
  for (const part of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight) || 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const asIs = weights.get('identity') ?? 0;
  let best: Coding | undefined;
  for (const coding of offered) {
    const weight = weightOf(coding);
    if (weight > 0 && weight >= asIs && (best === undefined || weight > weightOf(best))) best = coding;
  }
  return best;
}
