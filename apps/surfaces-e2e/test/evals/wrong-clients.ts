import type { Document } from '../voices/voices';
import type { ToolCall } from './eval-question';
import { scriptedClient, type CallTool, type Client } from './scripted-client';

const FIRST: readonly ToolCall[] = [
  { name: 'get_drift_state', arguments: {} },
  { name: 'get_bandit_state', arguments: {} },
];
const EVERYTHING: ToolCall = { name: 'get_workflow_decisions', arguments: { limit: 50 } };

/** Changes what tools answer before it is read. */
const hearing =
  (change: (result: Document) => void): Client =>
  (question, callTool) =>
    scriptedClient(question, async (call) => {
      const result: Document = JSON.parse(await callTool(call));
      change(result);
      return JSON.stringify(result);
    });

const after =
  (calls: readonly ToolCall[]): Client =>
  async (question, callTool: CallTool) => {
    for (const call of calls) await callTool(call);
    return scriptedClient(question, callTool);
  };

/** For each gate what has to break it. */
export const WRONG_CLIENTS: Readonly<Record<string, Client>> = {
  // A server that hides what it knows.
  'at least 95 % right': hearing((result) => {
    result.can_contact = null;
    result.status = 'insufficient_data';
    result.posteriors_trustworthy = false;
    result.drift_state = 'insufficient_data';
  }),
  // A server that has no doubts.
  'none misleading': hearing((result) => {
    result.can_contact = true;
    result.posteriors_trustworthy = true;
    if (result.status !== undefined) result.status = 'healthy';
  }),
  // A client that goes round all the tools before it asks what it was asked.
  'median of at most 2 calls': after(FIRST),
  // A client that pages through contacts.
  'median of at most 1,500 tokens': after([EVERYTHING]),
};
