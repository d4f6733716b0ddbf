// Runs one round of the agent of docs/recipes with a model that says what it is told to, and prints what came of it.
import { MockLanguageModelV4 } from 'ai/test';
import { reportOutcome, writeToWhomItIsTime } from '../../../../docs/recipes/agent-loop.mjs';
import { OutcomesClient } from '@outcomes/client';

const settings = JSON.parse(process.env.AGENT_SETTINGS ?? '{}');
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const calls = [
  ['get_workflow_decisions', { action: 'due' }],
  ['get_recipient_intelligence', { contact_id: settings.willing }],
  ...[settings.willing, settings.optedOut].map((contact_id) => [
    'send_email',
    { contact_id, campaign_id: 'spring', sequence_step: 1, subject: 'Again', body: 'Shall we talk?' },
  ]),
];
const results = [];
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const { role, content } = prompt.at(-1);
    if (role === 'tool') results.push(content[0].output);
    const [toolName, input] = calls.shift() ?? [];
    const content_ = toolName
      ? { type: 'tool-call', toolCallId: `call-${calls.length}`, toolName, input: JSON.stringify(input) }
      : { type: 'text', text: 'Done.' };
    const finishReason = { unified: toolName ? 'tool-calls' : 'stop', raw: undefined };
    return { content: [content_], finishReason, usage, warnings: [] };
  },
});

const sent = [];
const send = async ({ contact_id }) => {
  sent.push(contact_id);
  return `<${sent.length}@mailer.example>`;
};
const text = await writeToWhomItIsTime({ ...settings, model, send });
await reportOutcome(new OutcomesClient(settings), {
  ...{ contact_id: sent[0], sequence_step: 1, message_ref: '<1@mailer.example>' },
  ...{ outcome: 'responded', at: new Date() },
});
console.log(JSON.stringify({ text, sent, results }));
