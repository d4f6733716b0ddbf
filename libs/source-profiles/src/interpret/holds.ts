import type { Condition } from '../profile';
import { readPath, textAt, yesOrNo, type SourceRecord } from './read-path';

/** Whether a condition is true of a record. */
export function holds(condition: Condition, record: SourceRecord): boolean {
  if ('present' in condition) return readPath(record, condition.present) !== undefined;
  if ('in' in condition) {
    const text = textAt(record, condition.in)?.toLowerCase();
    return text !== undefined && condition.values.some((value) => value.toLowerCase() === text);
  }
  if ('true' in condition) return yesOrNo(readPath(record, condition.true)) === true;
  if ('positive' in condition) return Number(textAt(record, condition.positive) ?? 0) > 0;
  if ('all' in condition) return condition.all.every((part) => holds(part, record));
  if ('any' in condition) return condition.any.some((part) => holds(part, record));
  return !holds(condition.not, record);
}
