// A certified OpenID Connect provider as a process of its own: it prints its port, and lets in whoever a login_hint names,
// `name since 3600` as somebody who was authenticated an hour ago.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [redirectUri = ''] = process.argv.slice(2);
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const provider = new Provider(`http://localhost:${port}`, {
    clients: [
      {
        client_id: 'console',
        client_secret: 'a client secret',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // The subject is `name`, `name unverified`, or `name untold` where asking about the person fails.
    findAccount: (_context, id) => ({
      accountId: id,
      claims: (use) => {
        if (use === 'userinfo' && id.endsWith(' untold')) throw new Error('the directory is away');
        return {
          sub: id,
          email: `${id.split(' ')[0]}@example.com`,
          email_verified: !id.endsWith(' unverified'),
        };
      },
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    void provider.interactionDetails(request, response).then(({ params }) => {
      const [hint, age = '0'] = String(params.login_hint).split(' since ');
      const ts = Math.floor(Date.now() / 1_000) - Number(age);
      return provider.interactionFinished(request, response, { login: { accountId: hint, ts } });
    });
  });
  process.stdout.write(`${port}\n`);
});
