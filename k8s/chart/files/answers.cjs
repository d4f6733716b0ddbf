// `helm test`: whether each surface answers as it should somebody without a key. Variables: READ_API_URL, INGEST_API_URL,
// MCP_URL, MCP_PUBLIC_HOSTS (names that agents know the gateway by, separated by commas).
const { request } = require('node:http');

const PATIENCE_MS = 5_000;
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const { READ_API_URL, INGEST_API_URL, MCP_URL, MCP_PUBLIC_HOSTS } = process.env;
const questions = [
  { method: 'GET', url: `${READ_API_URL}/patterns` },
  { method: 'POST', url: `${INGEST_API_URL}/ingest/events`, body: '{"events":[]}' },
  ...MCP_PUBLIC_HOSTS.split(',').map((host) => ({ method: 'POST', url: MCP_URL, host, body: call })),
];

function ask({ method, url, host, body = '' }) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      ...(host && { host }),
    };
    const sent = request(url, { method, headers, timeout: PATIENCE_MS }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', reject).end(body);
  });
}

// One by one: each answer costs an address without a key something.
(async () => {
  for (const question of questions) {
    const answer = await ask(question).catch((error) => String(error));
    const verdict = answer === 401 ? 'ok  ' : 'FAIL';
    console.log(verdict, question.method, question.url, question.host ?? '', answer);
    if (answer !== 401) process.exitCode = 1;
  }
})();
