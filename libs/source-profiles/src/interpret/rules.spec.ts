import type { FactMapping, Route, Value } from '../profile';
import { PROFILES } from '../profiles/known-profiles';
import { EXAMPLES, mapExample, type SourceExample } from '../testing';

interface Mutant {
  readonly rule: string;
  readonly route: Route;
}

/** What examples of a route become under it, to the last field. */
const outcomeOf = (route: Route, examples: readonly SourceExample[]) =>
  JSON.stringify(examples.map((example) => mapExample(example, route)));

const without = <Item>(items: readonly Item[], at: number) => items.filter((_, place) => place !== at);
const replaced = <Item>(items: readonly Item[], at: number, item: Item) =>
  items.map((one, place) => (place === at ? item : one));

/** The step counted from the other number. */
function shifted(value: Value): Value | undefined {
  if (value.op === 'step') return { ...value, base: value.base === 0 ? 1 : 0 };
  if (value.op !== 'first') return undefined;
  const of = value.of.map((one) => shifted(one) ?? one);
  return of.some((one, at) => one !== value.of[at]) ? { ...value, of } : undefined;
}

/** A route with one of its rules gone or turned round. */
function mutantsOf(route: Route): Mutant[] {
  const { skip = [], facts = [], message } = route;
  const changed = (rule: string, fact: FactMapping, at: number) => ({
    rule,
    route: { ...route, facts: replaced(facts, at, fact) },
  });
  const step = message?.step && shifted(message.step);
  return [
    ...skip.map(({ as }, at) => ({ rule: `skips as ${as}`, route: { ...route, skip: without(skip, at) } })),
    ...facts.flatMap((fact, at): Mutant[] => {
      const { when: _when, once: _once, at_is: _is, at: _at, ...bare } = fact;
      const name = fact.tells;
      return [
        { rule: `tells ${name}`, route: { ...route, facts: without(facts, at) } },
        ...(fact.when ? [changed(`${name} only when`, withoutKey(fact, 'when'), at)] : []),
        ...(fact.once ? [changed(`${name} once`, withoutKey(fact, 'once'), at)] : []),
        ...(fact.at_is ? [changed(`${name} at is`, withoutKey(fact, 'at_is'), at)] : []),
        ...(fact.at && fact.tells !== 'sent'
          ? [changed(`${name} at`, { ...bare, ...(fact.when && { when: fact.when }) }, at)]
          : []),
      ];
    }),
    ...(step && message ? [{ rule: 'first step', route: { ...route, message: { ...message, step } } }] : []),
    ...(message?.ref
      ? [{ rule: 'reference', route: { ...route, message: withoutKey(message, 'ref') } }]
      : []),
    ...(message?.email
      ? [{ rule: 'recipient', route: { ...route, message: withoutKey(message, 'email') } }]
      : []),
    ...(message?.campaign
      ? [{ rule: 'campaign', route: { ...route, message: withoutKey(message, 'campaign') } }]
      : []),
    ...(message?.sent_at
      ? [{ rule: 'time of sending', route: { ...route, message: withoutKey(message, 'sent_at') } }]
      : []),
  ];
}

function withoutKey<Of extends object, Key extends keyof Of>(object: Of, key: Key): Of {
  const { [key]: _gone, ...rest } = object;
  return rest as Of;
}

const RULES = PROFILES.flatMap(({ tool, routes }) =>
  routes.flatMap((route) => {
    const examples = EXAMPLES.filter((one) => one.tool === tool && one.route === route.name);
    if (examples.length === 0) return [];
    const whole = outcomeOf(route, examples);
    return mutantsOf(route).map(({ rule, route: mutant }) => ({
      name: `${tool}, ${route.name}: ${rule}`,
      isSeen: outcomeOf(mutant, examples) !== whole,
    }));
  }),
);

describe('every rule of a profile', () => {
  it('is seen by an example: without it something else comes out', () => {
    expect(RULES.length).toBeGreaterThan(100);
    expect(RULES.filter(({ isSeen }) => !isSeen).map(({ name }) => name)).toEqual([]);
  });
});
