import { contactDecider, replayDecision } from '../contact/frozen-decision';
import * as engine210 from '../../engines/engine-2.1.0.cjs';
import { ENGINE_VERSION } from './engine-version';

/** What makes decisions, and makes them again. */
export interface DecisionEngine {
  readonly contactDecider: typeof contactDecider;
  readonly replayDecision: typeof replayDecision;
}

/** Engines 1.0.0 and 2.0.0 were not kept; 2.1.0 replays what they made. */
const ENGINES: Readonly<Record<string, DecisionEngine>> = {
  [ENGINE_VERSION]: { contactDecider, replayDecision },
  '2.1.0': engine210,
  '2.0.0': engine210,
  '1.0.0': engine210,
};

/**
 * The engine that made a decision: a decision replays to the same bytes with the engine that it was made by, whatever
 * has been improved since.
 *
 * Shapes: one version in, one engine out.
 * @param version - engine version as it was frozen with the decision
 * @returns that engine, or undefined where this installation does not know it
 * Never throws.
 *
 * Reference: a rule of this service: a decision replays after an engine step with the engine it was made by.
 *
 * @example
 * decisionEngine('0.0.0') === undefined; // true
 */
export function decisionEngine(version: string): DecisionEngine | undefined {
  return Object.hasOwn(ENGINES, version) ? ENGINES[version] : undefined;
}
