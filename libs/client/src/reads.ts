import type { operations } from './generated/read-api.ts';
import { READ_PATHS } from './generated/read-paths.ts';
import { segmentOf, type Query, type Transport } from './transport.ts';

/** What can be read, by the operations of the API description. */
export type Read = keyof operations & keyof typeof READ_PATHS;

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type Parameters<Of extends Read> = operations[Of]['parameters'];
type InPath<Of extends Read> = Given<Parameters<Of>['path']>;
type NothingElse<Part> = unknown extends Part ? Readonly<Record<string, never>> : Part;

/** What a read is asked with: parameters of its path and of its query alike. */
export type ReadArguments<Of extends Read> = NothingElse<InPath<Of> & Given<Parameters<Of>['query']>>;

/** What a read answers: `data`, and beside findings of a run what is said of the run. */
export type ReadAnswer<Of extends Read> = operations[Of]['responses'][200]['content']['application/json'];

/** Reads that are answered page by page. */
export type PagedRead = {
  [Of in Read]: 'cursor' extends keyof ReadArguments<Of> ? Of : never;
}[Read];

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Arguments are left out only where the path has none. */
export type AskedWith<Of extends Read> =
  Partial<InPath<Of>> extends InPath<Of>
    ? [args?: ReadArguments<Of>, options?: CallOptions]
    : [args: ReadArguments<Of>, options?: CallOptions];

interface Asked extends CallOptions {
  readonly transport: Transport;
  /** Base address of the read API, `/v1` included, without a slash at its end. */
  readonly url: string;
}

/** @throws what {@link Transport.send} throws, and {TypeError} for an id that is no part of a path */
export async function read<Of extends Read>(
  { transport, url, signal }: Asked,
  what: Of,
  args: object = {},
): Promise<{ readonly answer: ReadAnswer<Of>; readonly headers: Headers }> {
  const query: Record<string, unknown> = { ...args };
  const path = READ_PATHS[what].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = query[name];
    delete query[name];
    return segmentOf(value);
  });
  const { body, headers } = await transport.send<ReadAnswer<Of>>({
    url: `${url}${path}`,
    query: query as Query,
    signal,
  });
  return { answer: body, headers };
}

/** Every page of a list, each asked for when it is wanted. Stops where the service says that nothing follows. */
export async function* pages<Of extends PagedRead>(
  asked: Asked,
  what: Of,
  args: object = {},
): AsyncGenerator<ReadAnswer<Of>, void, undefined> {
  let { cursor } = args as { readonly cursor?: string };
  do {
    const { answer, headers } = await read(asked, what, { ...args, cursor });
    yield answer;
    cursor = nextCursor(answer.data, headers);
  } while (cursor !== undefined);
}

/** A list that grows says in `has_more` where it ends for now: its cursor leads on from there later. */
interface NextPage {
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
}

/** A list whose data is nothing but its items says in a link (RFC 8288) where it goes on; every other in a field. */
function nextCursor(data: unknown, headers: Headers): string | undefined {
  if (!Array.isArray(data)) {
    const { next_cursor: next, has_more: hasMore } = data as NextPage;
    return hasMore === false ? undefined : (next ?? undefined);
  }
  const query = /<[^>]*\?([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return new URLSearchParams(query).get('cursor') ?? undefined;
}
