/** Sets one header field of the answer. */
export type SetHeader = (name: string, value: string) => void;

export function setHeaders(setHeader: SetHeader, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) setHeader(name, headers[name] ?? '');
}
