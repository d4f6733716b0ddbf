import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodeOptionsOf, root, serviceEnvironmentOf } from '../local/settings.mjs';

const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
/** The lines of a stage. */
const stage = (name: string) => {
  const [, from = '', body = ''] =
    new RegExp(`^FROM (\\S+) AS ${name}\\n((?:(?!FROM ).*\\n?)*)`, 'm').exec(dockerfile) ?? [];
  return { from, body };
};

describe('the image of each application', () => {
  const withoutImage = ['console-web', 'surfaces-e2e'];
  const apps = readdirSync(join(root, 'apps')).filter((name) => !withoutImage.includes(name));

  for (const app of apps) {
    it(`starts ${app} with the options that it is started and measured with here`, () => {
      const { body } = stage(stage(`base-${app}`).from);
      assert.equal(/NODE_OPTIONS="([^"]*)"/.exec(body)?.[1], nodeOptionsOf(app));
      const ofMalloc = [...body.matchAll(/(MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
      assert.deepEqual(Object.fromEntries(ofMalloc), serviceEnvironmentOf(app));
    });
  }

  it('sets no other options later', () => {
    assert.equal(stage('runtime').from, 'base-${APP}');
    assert.doesNotMatch(stage('runtime').body, /NODE_OPTIONS|MALLOC_/);
  });
});
