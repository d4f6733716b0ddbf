/** What makes a decision again: a file of its own, which nobody fetches who does not ask for a replay. */
export { ENGINE_VERSION, replayDecision } from '@outcomes/statistics/replay';
