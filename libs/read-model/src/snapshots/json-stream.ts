import type { ServedFrame } from '../runs/served-frame';

/** JSON that is made while it is sent, so that its length costs no memory. It has no ETag: nobody knows it beforehand. */
export class JsonStream {
  /**
   * @param chunks - pieces of one JSON value, in order; ends with an error where the rest cannot be read
   * @param frame - what is said of the run that it is read beside
   */
  constructor(
    readonly chunks: AsyncIterable<string>,
    readonly frame?: ServedFrame,
  ) {}
}

/**
 * A JSON array in pieces.
 * @param first - elements that are at hand, at least one
 * @param pages - the rest, page by page
 */
export async function* arrayChunks(
  first: readonly unknown[],
  pages: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  const elements = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join(',');
  yield `[${elements(first)}`;
  for await (const page of pages) if (page.length > 0) yield `,${elements(page)}`;
  yield ']';
}
