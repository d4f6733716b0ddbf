import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { documentOf, shareGateway, startGateway, type GatewayProcess } from './gateway-fixture';

const RESOURCE = 'https://mcp.example.com/mcp';
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const SCOPE = 'outcomes:read';
const CALL = { name: 'get_drift_state', arguments: {} };

describe('access tokens', () => {
  let issuer: ChildProcess;
  let gateway: GatewayProcess;
  let tenant: { companyId: string; apiKey: string };

  beforeAll(async () => {
    issuer = spawn(process.execPath, [join(__dirname, 'token-issuer.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(issuer.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const address = `http://localhost:${port.toString().trim()}`;
    gateway = await startGateway({
      MCP_OAUTH_ISSUER: address,
      MCP_OAUTH_JWKS_URL: `${address}/jwks`,
      MCP_RESOURCE_URL: RESOURCE,
    });
    tenant = await gateway.addTenant({ name: 'Acme' });
  });
  afterAll(async () => {
    issuer.kill();
    await gateway?.stop();
  });

  const of = (path: string) => fetch(new URL(path, gateway.url));
  /** What a client does that knows nothing but the address of the server and its own secret. */
  const token = async (companyId: string, scope = SCOPE, resource?: string): Promise<string> => {
    const described = (await (await of('/.well-known/oauth-protected-resource/mcp')).json()) as {
      resource: string;
      authorization_servers: [string];
    };
    const [server] = described.authorization_servers;
    const discovered = (await (await fetch(`${server}/.well-known/openid-configuration`)).json()) as {
      token_endpoint: string;
    };
    const answer = await fetch(discovered.token_endpoint, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from('agent:a%20client%20secret').toString('base64')}`,
        'X-Test-Company': companyId,
      },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', scope },
        resource: resource ?? described.resource,
      }),
    });
    const { access_token: text } = (await answer.json()) as { access_token: string };
    return text;
  };

  it('are announced where clients look for them (RFC 9728)', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ]) {
      const answer = await of(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        ...[path, 200, expect.stringContaining('application/json')],
      ]);
      expect(await answer.json()).toMatchObject({
        ...{ resource: RESOURCE, scopes_supported: [SCOPE], bearer_methods_supported: ['header'] },
        authorization_servers: [expect.stringMatching(/^http:\/\/localhost:\d+$/)],
      });
    }
  });

  it('are asked for in every 401, also of a key', async () => {
    const challengeOf = async (credential?: string) => {
      const { status, headers } = await gateway.http(credential, '{}');
      return [status, headers.get('www-authenticate')];
    };
    const where = `scope="${SCOPE}", resource_metadata="${METADATA}"`;
    expect(await challengeOf()).toEqual([401, `Bearer ${where}`]);
    const wrong = [401, `Bearer error="invalid_token", ${where}`];
    expect(await challengeOf('svc_nonsense')).toEqual(wrong);
    expect(await challengeOf('no.such.token')).toEqual(wrong);
  });

  it('of the issuer read for the company that they name, beside keys, with an audit row', async () => {
    const text = await token(tenant.companyId);
    const first = await gateway.rpc(text, 'tools/call', CALL);
    expect([first.status, documentOf(first).tenant_id]).toEqual([200, tenant.companyId]);
    expect(first.headers.get('RateLimit-Limit')).toBe('200');
    expect((await gateway.rpc(text, 'tools/list')).status).toBe(200);
    expect((await gateway.rpc(tenant.apiKey, 'tools/call', CALL)).status).toBe(200);
    const other = await gateway.addTenant({ name: 'Other' });
    const denied = await gateway.rpc(text, 'tools/call', {
      ...{ name: 'get_drift_state', arguments: { tenant_id: other.companyId } },
    });
    expect(documentOf(denied).error.code).toBe('permission_denied');
    expect(await gateway.auditRows(tenant.companyId)).toMatchObject([
      { key_id: expect.stringMatching(/^oauth-[0-9a-f]{26}$/), status: 'success' },
      { status: 'success' },
      { error_type: 'permission_denied', requested_company_id: other.companyId },
    ]);
  });

  it('without the scope are told which one is missing, and leave their row', async () => {
    const { companyId } = await gateway.addTenant({ name: 'Narrow' });
    const text = await token(companyId, 'outcomes:other');
    const answer = await gateway.rpc(text, 'tools/call', CALL);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      ...[403, `Bearer error="insufficient_scope", scope="${SCOPE}", resource_metadata="${METADATA}"`],
    ]);
    expect(await gateway.auditRows(companyId)).toMatchObject([{ error_type: 'permission_denied' }]);
  });

  it('for another resource, for no company, or changed, are refused', async () => {
    const elsewhere = await token(tenant.companyId, SCOPE, 'https://elsewhere.example.com/');
    expect((await gateway.rpc(elsewhere, 'tools/list')).status).toBe(401);
    for (const companyId of ['99999999-9999-4999-8999-999999999999', 'acme', ''])
      expect((await gateway.rpc(await token(companyId), 'tools/list')).status).toBe(403);
    const [head = '', payload = '', signature = ''] = (await token(tenant.companyId)).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, scope: `${SCOPE} admin` })).toString('base64url');
    expect((await gateway.rpc([head, forged, signature].join('.'), 'tools/list')).status).toBe(401);
  });

  it('that are refused again and again are throttled as keys are', async () => {
    const elsewhere = await token(tenant.companyId, SCOPE, 'https://again.example.com/');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await gateway.rpc(elsewhere, 'tools/list')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('a gateway without an issuer', () => {
  it('takes no access tokens and announces none', async () => {
    const gateway = await shareGateway();
    try {
      const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', gateway.url));
      const refused = await gateway.http('a.b.c', '{}');
      expect([metadata.status, refused.status]).toEqual([404, 401]);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      expect(refused.body.error).toBe('invalid_token');
    } finally {
      await gateway.stop();
    }
  });
});
