import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from '@outcomes/testing';
import { consoleOf, ConsoleVisitor, signedIn, startConsole } from './console-visitor';
import { Installation } from './installation';

/** A provider that tells about itself: nobody gets as far as signing in there. */
async function startProvider(): Promise<{ server: Server; issuer: string }> {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://localhost:${port}`;
    const metadata = {
      issuer,
      ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
    };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(metadata));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, issuer: `http://localhost:${(server.address() as AddressInfo).port}` };
}

describe('the console with an identity provider', () => {
  let installation: Installation;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let origin: string;
  let own: Tenant;
  let owner: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    installation = await Installation.join('console');
    provider = await startProvider();
    own = await installation.addTenant({ name: 'Own' });
    // Sessions are in the database, wherever they began.
    owner = await signedIn(installation, consoleOf(installation), own.companyId, 'owner');
    origin = await startConsole(installation, {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'a client secret' },
    });
  }, 120_000);
  afterAll(async () => {
    provider.server.close();
    await installation.stop();
  });

  const askedAge = async (visitor: ConsoleVisitor) => {
    const { body } = await visitor.ask('POST', '/api/oidc/start', {});
    return new URL((body as { location: string }).location).searchParams.get('max_age');
  };
  const visitorOf = (cookie?: string) => Object.assign(new ConsoleVisitor(origin), { cookie });

  it('has whoever is signed in authenticated anew, and nobody else', async () => {
    expect(await askedAge(visitorOf())).toBe('604800');
    expect(await askedAge(visitorOf(`__Host-session=${'x'.repeat(43)}`))).toBe('604800');
    // Mutation: the desk does not say that somebody is signed in.
    expect(await askedAge(visitorOf(owner.cookie))).toBe('0');
  });

  it('lets whoever is signed in accept an invitation', async () => {
    const [elsewhere, { cookie, email }] = [await installation.addTenant({ name: 'Elsewhere' }), owner];
    const { link } = await installation.cli<{ link: string }>(
      ...['user', 'invite', '--company', elsewhere.companyId, '--email', email, '--role', 'member'],
    );
    const token = new URL(link).hash.slice(1);
    const visitor = visitorOf(cookie);
    expect((await visitor.ask('POST', '/api/invitations/accept', { token })).status).toBe(200);
    const { companies } = (await visitor.get('/api/me')).body as { companies: object[] };
    expect(companies).toContainEqual(
      expect.objectContaining({ companyId: elsewhere.companyId, role: 'member' }),
    );
  });

  it('sends whoever comes back with nothing to the sign-in, with the reason', async () => {
    const answer = await visitorOf().get('/api/oidc/callback?code=nothing');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/sign-in?refused=IDENTITY_REFUSED',
    ]);
  });
});
