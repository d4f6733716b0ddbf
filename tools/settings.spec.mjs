// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { files, helpOf, root, services, settingsByService } from './settings.mjs';

/** @type {Awaited<ReturnType<typeof settingsByService>>} */
let byService;
before(async () => {
  byService = await settingsByService();
});

describe('the settings of the services', () => {
  it('stand in docs/settings.md and the READMEs as the services say them (else: npm run settings)', async () => {
    for (const [file, content] of await files(byService)) {
      assert.equal(readFileSync(join(root, file), 'utf8'), content, file);
    }
  });

  it('have a description, numbers their unit, and whatever holds a password is called a secret', () => {
    for (const [service, settings] of byService) {
      for (const { name, description, values, isSecret, default: fallback } of settings) {
        assert.match(description, /^[A-Z].{8,}\.$/, `${service} ${name}`);
        // Ports are numbers of their own kind.
        const isCount = /^\d/.test(values) && !/PORT$/.test(name);
        if (isCount) assert.match(values, / [a-z]{4,}$/, `${service} ${name}`);
        const isSecretName = /(DATABASE_URL|REPLICA_URL|REDIS_URL|SMTP_URL|_SECRET|_KEY|CREDENTIALS)$/;
        if (isSecretName.test(name)) assert.ok(isSecret, `${service} ${name}`);
        // The same on every machine.
        assert.ok(!fallback?.includes(root), `${service} ${name}`);
      }
    }
  });

  it('are printed by --help, without a connection to anything that is configured', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    for (const service of services) {
      const help = await helpOf(service, [], {
        DATABASE_URL: `postgres://user:password@127.0.0.1:${port}/outcomes`,
        REDIS_URL: `redis://127.0.0.1:${port}`,
        TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      });
      for (const { name, description } of byService.get(service) ?? []) {
        assert.ok(help.includes(`  ${name}\n      ${description}\n`), `${service} ${name}`);
      }
    }
    server.close();
    await once(server, 'close');
    assert.equal(connections, 0);
  });

  it('are all that the chart gives to the services', () => {
    const templates = join(root, 'k8s/chart/templates');
    const known = new Set([...byService.values()].flat().map(({ name }) => name));
    // The chart's own, of which other variables are made.
    known.add('POD_NAMESPACE');
    const given = readdirSync(templates, { recursive: true, encoding: 'utf8' })
      .filter((file) => /deployment\.yaml$|_(pod|service)\.tpl$/.test(file) && !file.startsWith('cli/'))
      .flatMap((file) =>
        [...readFileSync(join(templates, file), 'utf8').matchAll(/name: ([A-Z][A-Z0-9_]+)\b/g)].map(
          ([, name = '']) => ({ file, name }),
        ),
      );
    assert.ok(given.length >= 20, `only ${given.length} variables found`);
    assert.deepEqual(
      given.filter(({ name }) => !known.has(name)),
      [],
    );
  });
});
