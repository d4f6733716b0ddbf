import type { Told, ToolCall } from './eval-question';
import type { Client } from './scripted-client';

const MAX_TURNS = 8;

/** Where a model answers: OpenAI-compatible chat completions. */
export interface ModelAddress {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** A tool as tools/list describes it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

const TASK =
  'You answer a question about outbound outreach from the tools alone. End with JSON and nothing else: ' +
  '{"answer": ...} in the form that is asked for, or {"answer": null} where the tools do not let anybody tell.';

/** A client that puts the questions to a model, with the tools as the server lists them. */
export function modelClient(address: ModelAddress, tools: readonly ListedTool[]): Client {
  return async ({ text, form }, callTool) => {
    const messages: Message[] = [
      { role: 'system', content: TASK },
      { role: 'user', content: `${text} Form: ${form}.` },
    ];
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const message = await completion(address, tools, messages);
      messages.push(message);
      if (!message.tool_calls?.length) return toldIn(message.content ?? '');
      for (const { id, function: asked } of message.tool_calls) {
        const call = { name: asked.name, arguments: JSON.parse(asked.arguments || '{}') } as ToolCall;
        messages.push({ role: 'tool', tool_call_id: id, content: await callTool(call) });
      }
    }
    return undefined;
  };
}

async function completion(
  { baseUrl, model, apiKey }: ModelAddress,
  tools: readonly ListedTool[],
  messages: readonly Message[],
): Promise<Message> {
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      model,
      messages,
      temperature: 0,
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: readonly { readonly message: Message }[] };
  const [first] = choices;
  if (first === undefined) throw new Error('The model answered without a choice.');
  return first.message;
}

/** The last JSON object of a text. What is no such object tells nothing. */
function toldIn(text: string): Told {
  const [json] = /\{[^{}]*\}(?=[^{}]*$)/.exec(text) ?? [];
  if (json === undefined) return undefined;
  const { answer } = JSON.parse(json) as { answer?: string | number | null };
  return answer ?? undefined;
}
