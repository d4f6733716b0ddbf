// A certified OAuth 2.1 issuer as a process of its own: it prints its port, and gives out signed tokens (RFC 9068) for
// whatever resource they are asked for, with the company that the asking client names in a header.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const provider = new Provider(`http://localhost:${port}`, {
    clients: [
      {
        client_id: 'agent',
        client_secret: 'a client secret',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          ...{ audience: resource, scope: 'outcomes:read outcomes:other', accessTokenTTL: 300 },
          accessTokenFormat: 'jwt',
        }),
      },
    },
    extraTokenClaims: (context) => ({ tenant_id: context.get('X-Test-Company') }),
  });
  server.on('request', (request, response) => void provider.callback()(request, response));
  process.stdout.write(`${port}\n`);
});
