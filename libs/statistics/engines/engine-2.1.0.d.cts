import type { DecisionEngine } from '../src/replay/decision-engine';

export const contactDecider: DecisionEngine['contactDecider'];
export const replayDecision: DecisionEngine['replayDecision'];
