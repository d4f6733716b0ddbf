/**
 * Whether the caller has this answer already (RFC 9110, 13.1.2: the weak comparison).
 * @param ifNoneMatch - header of the request
 * @param etag - of the answer, as it is sent
 */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((sent) => {
    const known = sent.trim();
    return known === '*' || known.replace(/^W\//, '') === strong;
  });
}
