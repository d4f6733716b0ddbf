import { invalidCursor, UUID } from '../arguments/cursor';

/** Where a decision stands in the order of lists, whether or not it is still there. */
export interface DecisionPlace {
  /** In UTC, to the microsecond: Postgres keeps them, a Date does not. */
  readonly decidedAt: string;
  readonly decisionId: string;
}

interface Company {
  readonly companyId: string;
}

/** Of a decision: its place, as the marks of pages have it. */
export const PLACE = `to_char(decided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || decision_id`;

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}Z$/;

/** The mark of a page that goes on behind a place; of one company, so that another refuses it. */
export function markOf({ companyId }: Company, place: string): string {
  return `${companyId}/${place}`;
}

/** @throws AppError INVALID_PARAMETER where no page of this company ended with such a mark */
export function placeIn({ companyId }: Company, mark: string): DecisionPlace {
  const [company, decidedAt = '', decisionId = '', ...more] = mark.split('/');
  if (company !== companyId || more.length > 0 || !UUID.test(decisionId) || !isTime(decidedAt))
    throw invalidCursor();
  return { decidedAt, decisionId };
}

/** A day that no month has would be an error of Postgres. */
function isTime(text: string): boolean {
  const time = TIME.exec(text)?.[1];
  const at = Date.parse(`${time ?? ''}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString() === `${time ?? ''}Z`;
}
