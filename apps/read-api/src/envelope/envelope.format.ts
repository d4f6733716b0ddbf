import { isoTimeOf } from '@outcomes/platform';
import type { ServedFrame } from '@outcomes/read-model';

/** Answers belong to one credential: no shared cache may keep them, and a private one asks again each time. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, X-API-Key, X-Tenant-Id, X-Portal-Id, Accept-Encoding',
};
export const CONTENT_TYPE = 'application/json; charset=utf-8';

/** What stands before and behind the data; ASCII, like every message. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
  /** Of what is said of the run; undefined where nothing is. */
  readonly frameEtag: string | undefined;
}

/** There are as many as handlers. */
const beginnings = new Map<string, string>();

/**
 * The envelope around data.
 * @param frame - what is said of the run that left the data; undefined where it is of none
 */
export function surroundingsOf(says: string, at: Date, frame?: ServedFrame): Surroundings {
  const text = frame?.at(at);
  return {
    before: beginningOf(says),
    after: `,${text === undefined ? '' : `${text.fields},`}"timestamp":"${isoTimeOf(at.getTime())}"}`,
    frameEtag: text?.etag,
  };
}

function beginningOf(says: string): string {
  const known = beginnings.get(says);
  if (known !== undefined) return known;
  const beginning = `{"success":true,"message":${JSON.stringify(says)},"data":`;
  beginnings.set(says, beginning);
  return beginning;
}

/** An ETag that changes with the data and with what is said of its run, and not with the time of the answer. */
export function etagOf(etag: string, frameEtag: string | undefined): string {
  return frameEtag === undefined ? `W/"${etag}"` : `W/"${etag}-${frameEtag}"`;
}
