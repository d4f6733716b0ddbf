// Values that must not be installed, each with a word that the refusal has to say.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chart, run } from './chart.ts';

interface Contradiction {
  values: string;
  word: string;
}

export const contradictions: Contradiction[] = [
  { values: 'readApi: { replica: { min: 1 } }', word: 'replica' },
  { values: 'readApi: { replicas: { min: 5, max: 2 } }', word: 'min 5 is more than max 2' },
  { values: 'analysisWorker: { replicas: { min: 9 } }', word: 'min 9 is more than max 8' },
  { values: "image: { tag: 'v1 bad tag' }", word: 'tag' },
  { values: 'image: { digests: { read-api: sha256:abc } }', word: 'read-api' },
  { values: 'networkPolicy: { redis: { to: [] } }', word: 'redis' },
  { values: 'networkPolicy: { dns: { to: [] } }', word: 'dns' },
  { values: 'networkPolicy: { extraEgress: [{ ports: [{ port: 443 }], to: [] }] }', word: 'extraEgress' },
  { values: 'tracing: { endpoint: http://collector:4318/v1/traces }', word: 'tracing.to' },
  { values: 'mcpGateway: { ingress: { enabled: true } }', word: 'host' },
  { values: 'mcpGateway: { route: { enabled: true, hosts: [a.example.com] } }', word: 'parents' },
  {
    values: 'analysisWorker: { smtp: { from: a@example.com, to: [{ ipBlock: {} }] } }',
    word: 'secrets.smtp',
  },
  { values: 'mcpGateway: { accessTokens: { issuer: https://a.example } }', word: 'jwksUrl' },
  {
    values:
      'mcpGateway: { accessTokens: { issuer: http://a.example, jwksUrl: https://a.example/jwks, resource: https://b.example/mcp, to: [{ ipBlock: {} }] } }',
    word: 'issuer must be an https address',
  },
  { values: "mcpGateway: { ingress: { enabled: true, host: '*.example.com' } }", word: 'publicHosts' },
  {
    values: "mcpGateway: { route: { enabled: true, parents: [{ name: public }], hosts: ['*.example.com'] } }",
    word: 'publicHosts',
  },
  { values: 'analysisWorker: { databasePoolSize: 3 }', word: 'analysisConcurrency + 2' },
  {
    values:
      'mcpGateway: { accessTokens: { issuer: https://a.example, jwksUrl: https://a.example/jwks, resource: https://b.example/mcp } }',
    word: 'accessTokens.to',
  },
  { values: 'settings: { trustedProxies: always }', word: 'trustedProxies' },
  { values: 'console: { enabled: true }', word: 'console.origin' },
  {
    values:
      'console: { enabled: true, origin: https://a.example, publicUrls: { readApi: https://a, ingestApi: https://b, mcp: https://c }, oidc: { issuer: https://d, clientId: e } }',
    word: 'secrets.oidc',
  },
  { values: 'serviceAccount: { annotations: { a: b } }', word: 'serviceAccount.create' },
  { values: 'pods: { labels: { app.kubernetes.io/name: other } }', word: 'labels' },
  { values: 'pods: { securityContext: { runAsUser: 0 } }', word: 'runAsUser' },
  { values: 'pods: { securityContext: { runAsNonRoot: false } }', word: 'runAsNonRoot' },
  { values: 'pods: { extraVolumes: [{ name: host, hostPath: { path: / } }] }', word: 'extraVolumes' },
];

/** @returns Those that were taken, or refused for another reason. */
export function takenContradictions(helm: string, cases: Contradiction[] = contradictions): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'values-'));
  const file = join(folder, 'values.yaml');
  try {
    return cases.flatMap(({ values, word }) => {
      writeFileSync(file, `${values}\n`);
      try {
        run(helm, ['template', 'outcomes', chart, '--kube-version', '1.33.0', '--values', file]);
      } catch (error) {
        const text = String(error);
        return text.includes(word) ? [] : [`${values}: refused, but not for ${word}: ${text}`];
      }
      return [`${values}: taken`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
