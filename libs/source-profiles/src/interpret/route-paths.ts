import type { Condition, Path, Route, Value } from '../profile';

/** What the conditions of a route look at, but for whether it is there. */
export const pathsAskedBy = (route: Route): Path[] => conditionsOf(route).flatMap(pathsOfCondition);

/** What has to be there, or must not, for a condition of a route to hold. */
export const pathsNeededBy = (route: Route): Path[] => conditionsOf(route).flatMap(presencesIn);

/** From where a value is read. */
export function pathsOfValue(value: Value | undefined): Path[] {
  if (value === undefined || value.op === 'const') return [];
  return value.op === 'first' ? value.of.flatMap(pathsOfValue) : [value.path];
}

function conditionsOf({ detect, skip = [], facts = [] }: Route): Condition[] {
  return [
    ...('when' in detect ? [detect.when] : []),
    ...skip.map(({ when }) => when),
    ...facts.flatMap(({ when }) => when ?? []),
  ];
}

function presencesIn(condition: Condition): Path[] {
  if ('present' in condition) return [condition.present];
  if ('all' in condition) return condition.all.flatMap(presencesIn);
  if ('any' in condition) return condition.any.flatMap(presencesIn);
  return 'not' in condition ? presencesIn(condition.not) : [];
}

function pathsOfCondition(condition: Condition): Path[] {
  if ('present' in condition) return [];
  if ('in' in condition) return [condition.in];
  if ('true' in condition) return [condition.true];
  if ('positive' in condition) return [condition.positive];
  if ('all' in condition) return condition.all.flatMap(pathsOfCondition);
  if ('any' in condition) return condition.any.flatMap(pathsOfCondition);
  return pathsOfCondition(condition.not);
}
