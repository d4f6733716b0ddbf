import { gatewayConfig } from '../gateway.config';
import { AddressCheck } from './address-check.service';

const check = new AddressCheck(
  gatewayConfig({
    DATABASE_URL: 'postgres://x',
    REDIS_URL: 'redis://x',
    MCP_PUBLIC_HOSTS: 'mcp.example.com, MCP2.example.com',
    MCP_ALLOWED_ORIGINS: 'https://agent.example.com',
  }),
);

const admit = (headers: { host?: string; origin?: string }) => {
  check.require(headers);
  return true;
};

describe('the check of addresses', () => {
  it.each([
    'localhost',
    'localhost:3003',
    '127.0.0.1:1',
    '[::1]:3003',
    'MCP.example.com',
    'mcp2.example.com:443',
  ])('serves the host %s', (host) => expect(admit({ host })).toBe(true));

  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:3003',
    '127.0.0.1.nip.io',
    'localhost:3003:1',
    '',
    undefined,
  ])('refuses the host %s', (host) =>
    expect(() => admit({ host })).toThrow(expect.objectContaining({ code: 'Forbidden' })),
  );

  it('lets in a page of the very address that was called, port included', () => {
    expect(admit({ host: 'localhost:3003', origin: 'http://localhost:3003' })).toBe(true);
    expect(() => admit({ host: 'localhost:3003', origin: 'http://localhost:3000' })).toThrow();
    expect(() => admit({ host: 'evil.example', origin: 'http://evil.example' })).toThrow();
  });

  it('lets in the invited origin and what is no web page', () => {
    expect(admit({ host: 'localhost', origin: 'https://agent.example.com' })).toBe(true);
    expect(admit({ host: 'localhost' })).toBe(true);
  });

  it.each(['https://evil.example', 'http://agent.example.com', 'https://agent.example.com:8443', 'null', ''])(
    'refuses the origin "%s"',
    (origin) =>
      expect(() => admit({ host: 'localhost', origin })).toThrow(
        expect.objectContaining({ code: 'Forbidden' }),
      ),
  );
});
