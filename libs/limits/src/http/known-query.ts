import { parse } from 'node:querystring';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { AppError } from '@outcomes/contracts';
import { takesExchange } from '@outcomes/platform';

/** Of Nest's enumeration of what a parameter may be: @Query(). */
const QUERY = '4';

/**
 * The query parameters that a handler takes, by its `@Query()`.
 * @returns undefined where it takes the query as a whole, whose form then says what is known, or the exchange itself
 */
export function queryNamesOf(controller: Type, name: string): readonly string[] | undefined {
  if (takesExchange(controller.prototype as object, name)) return undefined;
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { readonly data?: unknown }
  >;
  const taken = Object.entries(given).filter(([place]) => place.split(':')[0] === QUERY);
  const names = taken.map(([, { data }]) => data);
  return names.every((known) => typeof known === 'string') ? names : undefined;
}

/**
 * @param url - as it stands in the request line
 * @throws AppError INVALID_PARAMETER for what is no text: read as far as it can be, it would name something else
 */
export function queryOf(url: string): Readonly<Record<string, unknown>> {
  const at = url.indexOf('?');
  if (at < 0) return {};
  const query = url.slice(at + 1);
  const broken = query.split('&').find((part) => !isText(part));
  if (broken === undefined) return parse(query);
  const parameter = nameIn(Object.keys(parse(broken))[0] ?? '');
  const message =
    `The query parameter ${JSON.stringify(parameter)} is not percent-encoded UTF-8. ` +
    'Encode what is not ASCII as its UTF-8 bytes, such as %C3%A9, and the percent sign as %25.';
  throw new AppError('INVALID_PARAMETER', { parameter }, { message });
}

/** Whether a part of a query is ASCII, and its percent-escapes are whole and those of UTF-8. */
function isText(part: string): boolean {
  try {
    decodeURIComponent(part);
    return !/[^\x21-\x7e]/.test(part);
  } catch {
    return false;
  }
}

const nameIn = (name: string) => name.slice(0, 100);

/**
 * A misspelt parameter that was ignored would answer 200 to something else than was asked for.
 * @param url - as it stands in the request line
 * @throws AppError INVALID_PARAMETER
 */
export function requireKnownQuery(url: string, names: readonly string[]): void {
  const unknown = Object.keys(queryOf(url)).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const parameter = nameIn(unknown);
  const known = names.length === 0 ? 'This address takes none' : `Known: ${names.join(', ')}`;
  const message = `Unknown query parameter ${JSON.stringify(parameter)}. ${known}.`;
  throw new AppError('INVALID_PARAMETER', { parameter }, { message });
}
