import type { Condition, Route, SourceProfile, Told } from '../profile';

/** Which types of a tool's deliveries tell a fact. */
export interface TypesTelling {
  /** As the tool writes them, without regard to case. */
  readonly types: readonly string[];
  /** Whether a delivery may tell it under any type: what it holds says so, not what it is called. */
  readonly anyType: boolean;
}

/**
 * The types under which a tool delivers what tells one of the given facts: those that have to be switched on in it.
 * @param told - facts, any of which will do
 */
export function typesTelling({ routes }: SourceProfile, told: readonly Told[]): TypesTelling {
  const found = routes
    .filter(({ media }) => media.includes('webhook'))
    .flatMap((route) =>
      (route.facts ?? []).filter(({ tells }) => told.includes(tells)).map(({ when }) => typesIn(route, when)),
    );
  return {
    types: [...new Set(found.flatMap((types = []) => types))],
    anyType: found.includes(undefined),
  };
}

/** @returns undefined where a condition asks for something else than the type */
function typesIn({ type, detect }: Route, when: Condition | undefined): readonly string[] | undefined {
  const condition = when ?? ('when' in detect ? detect.when : undefined);
  return condition && valuesOf(condition, type && 'path' in type ? pathOf(type.path) : undefined);
}

function valuesOf(condition: Condition, path: string | undefined): readonly string[] | undefined {
  if ('in' in condition && pathOf(condition.in) === path) return condition.values;
  if ('all' in condition) return condition.all.map((part) => valuesOf(part, path)).find((values) => values);
  return undefined;
}

const pathOf = (path: string | readonly string[]) => JSON.stringify([path].flat());
