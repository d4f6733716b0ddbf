// @ts-check
import { Agent, request } from 'node:http';
import { Failure } from '../local/failure.mjs';

/**
 * Sends bodies over a fixed number of kept connections, as fast as they are answered.
 * @param {{ url: string, headers: Record<string, string>, connections: number, bodies: readonly Buffer[], accepted?: number | undefined }} options
 * `accepted`: events that each must be answered 202 for; undefined takes any answer below 500.
 * @returns {Promise<void>}
 */
export async function send({ url, headers, connections, bodies, accepted }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const worker = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const answer = await post(url, headers, body, agent);
      if (!isRight(answer, accepted))
        throw new Failure(`${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    agent.destroy();
  }
}

/** @param {{ status: number, text: string }} answer @param {number | undefined} accepted */
function isRight({ status, text }, accepted) {
  return accepted === undefined
    ? status < 500
    : status === 202 && text.startsWith(`{"accepted":${accepted},"rejected":0`);
}

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {Buffer} body
 * @param {Agent} agent
 * @returns {Promise<{ status: number, text: string }>}
 */
function post(url, headers, body, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        timeout: 30_000,
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Failure(`${url} did not answer within 30 s.`)));
    sent.on('error', reject);
    sent.end(body);
  });
}
