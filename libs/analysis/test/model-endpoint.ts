import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedQuestion {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: { model: string; messages: { role: string; content: string }[] };
}

export type Reply = (response: ServerResponse, question: AskedQuestion) => void;

/** Answers like the API of OpenAI does. */
export const says =
  (content: string): Reply =>
  (response) =>
    void response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end('{"error":{"message":"no"}}');

/** The outside world: an endpoint of the chat completions API, on a local port. */
export class ModelEndpoint {
  readonly asked: AskedQuestion[] = [];
  /** One per request; the last one stays. */
  replies: Reply[] = [says('{}')];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const question = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: JSON.parse(Buffer.concat(parts).toString('utf8')) as AskedQuestion['body'],
    };
    this.asked.push(question);
    const reply = this.replies.length > 1 ? this.replies.shift() : this.replies[0];
    reply?.(response, question);
  }
}
