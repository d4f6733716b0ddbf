// An agent that asks before it writes, and reports what came of it: see agent-loop.md.
import { createMCPClient } from '@ai-sdk/mcp';
import { setTimeout as delay } from 'node:timers/promises';
import { LimitError, OutcomesClient, UnavailableError, WaitTimeoutError } from '@outcomes/client';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';

const MESSAGE = jsonSchema({
  type: 'object',
  properties: {
    contact_id: { type: 'string' },
    campaign_id: { type: 'string' },
    sequence_step: { type: 'integer', minimum: 0 },
    subject: { type: 'string' },
    body: { type: 'string' },
  },
  required: ['contact_id', 'campaign_id', 'sequence_step', 'subject', 'body'],
  additionalProperties: false,
});
const INSTRUCTIONS = `You write outreach e-mail. Ask get_workflow_decisions with action "due" whom to write to today,
and get_recipient_intelligence about each of them before you write. Write one short e-mail to each by send_email.`;

/**
 * One round: whom to write to, what to write, and a report of each message that went out.
 * @param {object} settings `model` of the AI SDK; `send` is your own mailer, and returns the id that it gave the message;
 * `retryMs` between tries while the service cannot take the reports
 */
export async function writeToWhomItIsTime({ model, send, apiKey, retryMs = 30_000, ...urls }) {
  const { mcpUrl, ingestUrl, readUrl } = urls;
  const headers = { Authorization: `Bearer ${apiKey}` };
  const mcp = await createMCPClient({ transport: { type: 'http', url: mcpUrl, headers } });
  const outcomes = new OutcomesClient({ apiKey, ingestUrl, readUrl });
  const reports = outcomes.events();

  const sendEmail = tool({
    description: 'Sends one e-mail, unless the contact must not be written to. Says what it did.',
    inputSchema: MESSAGE,
    execute: async ({ contact_id, campaign_id, sequence_step, subject, body }) => {
      // The model has read it too; whether somebody is written to is nothing to leave to a model.
      const { data } = await outcomes.read('contact', { contactId: contact_id, channel: 'email' });
      if (data.can_contact !== true) return { sent: false, because: data.block_reasons };
      const message_ref = await send({ contact_id, subject, body });
      await reports.add({
        ...{ channel: 'email', sequence_step, recipient_id: contact_id, message_ref },
        ...{ fact: 'sent', sent_at: new Date().toISOString() },
        ...{ subject, body_excerpt: body.slice(0, 500), metadata: { campaign_id } },
      });
      return { sent: true, message_ref };
    },
  });

  try {
    const tools = { ...(await mcp.tools()), send_email: sendEmail };
    const prompt = 'Write to whom it is time to write to.';
    const { text } = await generateText({
      model,
      tools,
      prompt,
      instructions: INSTRUCTIONS,
      stopWhen: stepCountIs(20),
    });
    return text;
  } finally {
    await stored(reports, retryMs).finally(() => mcp.close());
  }
}

/** Waits until the service has every report: whom it does not know to be written to is due again, and gets the same twice. */
async function stored(reports, retryMs) {
  for (;;) {
    try {
      return await reports.close();
    } catch (error) {
      const mayPass = [UnavailableError, LimitError, WaitTimeoutError].some((kind) => error instanceof kind);
      if (!mayPass) throw error;
      console.error(`${reports.size} reports are not stored yet, trying again: ${error.message}`);
      await delay(retryMs);
    }
  }
}

/**
 * What your mailbox or its webhook calls when something came of a message: `responded`, `bounced` or `unsubscribed`.
 * Silence need not be told.
 */
export async function reportOutcome(outcomes, { contact_id, sequence_step, message_ref, outcome, at }) {
  const message = { channel: 'email', sequence_step, recipient_id: contact_id, message_ref };
  const { errors } = await outcomes.postEvents([{ ...message, outcome, outcome_at: at.toISOString() }]);
  if (errors.length > 0) throw new Error(`${errors[0].field}: ${errors[0].message}`);
}
