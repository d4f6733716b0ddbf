import type { StoredBody } from './snapshot.repository';

/** The document as a value. Only the analysis writes snapshots, so their shape is not checked again. */
export function parseSnapshot<Document>(
  snapshot: Pick<StoredBody, 'body'> | undefined,
): Document | undefined {
  return snapshot && (JSON.parse(snapshot.body) as Document);
}
