import type { Document } from '../voices/voices';
import {
  CHARACTERS_PER_TOKEN,
  type Answered,
  type EvalQuestion,
  type Told,
  type ToolCall,
} from './eval-question';

/** Makes one tool call of a company: the result document as text. */
export type CallTool = (call: ToolCall) => Promise<string>;

/** Somebody who answers questions, by tool calls alone. */
export type Client = (question: EvalQuestion, callTool: CallTool) => Promise<Told>;

/** Answers by the fixed rule of each question, from the results of its calls alone. */
export const scriptedClient: Client = async (question, callTool) => {
  const results: Document[] = [];
  for (const call of question.calls) results.push(JSON.parse(await callTool(call)));
  return question.read(...results);
};

/** Lets a client answer a question, and counts what it cost. @param callsBefore - of the company, before this question */
export async function answered(
  client: Client,
  question: EvalQuestion,
  callTool: CallTool,
  callsBefore: number,
): Promise<Answered> {
  let calls = 0;
  let [bytes, characters] = [0, 0];
  const told = await client(question, async (call) => {
    const text = await callTool(call);
    calls += 1;
    bytes += Buffer.byteLength(text);
    characters += text.length + JSON.stringify(call).length;
    return text;
  });
  const isRight = question.isRight(told, callsBefore);
  const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  return { question, told, isRight, isMisleading: !isRight && told !== undefined, calls, bytes, tokens };
}
