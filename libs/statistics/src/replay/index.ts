/** What a browser needs to make a decision again, and nothing else of this library. */
export { contactDecider, replayDecision } from '../contact/frozen-decision';
export type {
  DecisionInputs,
  DecisionModel,
  DecisionResult,
  FrozenDecision,
  Replay,
} from '../contact/frozen-decision';
export { ENGINE_VERSION } from './engine-version';
