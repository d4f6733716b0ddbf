// The section of verify:deploy that publishes into a registry on this machine.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { onPath, within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { chart, renderChart, run } from './chart.ts';
import type { Promised } from './cluster.ts';
import { parseManifests } from './manifests.ts';
import { checkSignatures, keyPairs } from './signatures.ts';

const startTimeout = 20_000;
const publishTimeout = 300_000;
const materials = 'application/vnd.cyclonedx+json';
/** How many applications there are, and what each of them runs on. */
const [applications, framework] = [6, '@nestjs/core'];

export async function verifyPublishing(promise: Promised, helm: string) {
  const title = 'what is published is the chart, with bills of materials of every application';
  await promise(title, () =>
    withRegistry(async ({ registry, folder }) => {
      const { oras } = findTools();
      const { digest, version } = publishExpecting(registry);
      const subject = `${registry}/outcomes@${digest}`;
      const from = [`oci://${registry}/outcomes`, '--version', version, '--plain-http'];
      run(helm, ['pull', ...from, '--destination', folder]);
      const pulled = join(folder, `outcomes-${version}.tgz`);
      if (!isDeepStrictEqual(renderPacked(helm, pulled), renderChart(helm)))
        throw new Failure('what was pulled renders to something else than the chart');
      const bills = billsAt(oras, subject, folder);
      if (bills.length !== applications) throw new Failure(`${bills.length} bills of materials`);
      const poor = bills.filter((names) => !names.includes(framework)).length;
      if (poor > 0) throw new Failure(`${poor} bills of materials do not name ${framework}`);
      const nowhere = `127.0.0.1:${await freePort()}/outcomes`;
      if (publish(nowhere).status === 0) throw new Failure('mutation: it succeeds without a registry');
      return `${bills.length} bills of ${Math.min(...bills.map(({ length }) => length))} packages and more; mutations found`;
    }),
  );
  await promise('what is published is signed, and nothing else is taken for it', () =>
    withRegistry(async ({ registry, folder }) => {
      const cosign = find('cosign', 'github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3');
      const keys = keyPairs(cosign, folder);
      const { digest, version } = publishExpecting(registry, keys.own);
      const signer = { cosign, folder, plainHttp: true };
      const place = { signer, keys, registry, tools: { helm, ...findTools() } };
      return checkSignatures(place, { name: 'outcomes', tag: version, digest });
    }),
  );
}

/** Publishes the chart. @param key To sign with. */
function publishExpecting(registry: string, key?: string) {
  const published = publish(registry, key);
  if (published.status !== 0) throw new Failure(`it failed:\n${published.output}`);
  const digest = /^PASS +chart .*(sha256:[0-9a-f]{64})$/m.exec(published.output)?.[1] ?? '';
  const { version } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  return { digest, version: String(version) };
}

function findTools() {
  return {
    oras: find('oras', 'oras.land/oras/cmd/oras@v1.2.3'),
    crane: find('crane', 'github.com/google/go-containerregistry/cmd/crane@v0.20.6'),
  };
}

/** @param module Of Go. */
function find(name: string, module: string): string {
  const file = onPath(name);
  if (!file) throw new Failure(`NOT RUN: there is no ${name} on this machine (go install ${module}).`);
  return file;
}

/** @param work With a folder that is gone afterwards. */
async function withRegistry<Result>(
  work: (place: { registry: string; folder: string }) => Promise<Result>,
): Promise<Result> {
  const { crane } = findTools();
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(crane, ['registry', 'serve', '--address', address], { stdio: 'ignore' });
  try {
    const answers = () =>
      fetch(`http://${address}/v2/`)
        .then(({ ok }) => ok)
        .catch(() => false);
    if (!(await within(startTimeout, answers))) throw new Failure('NOT RUN: the registry did not start.');
    return await work({ registry: `${address}/outcomes`, folder });
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function publish(registry: string, key?: string) {
  const args = [join(root, 'tools/deploy/publish.ts'), registry, '--plain-http'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...(key ? ['--key', key] : [])], {
    ...{ cwd: root, encoding: 'utf8', timeout: publishTimeout },
    env: { ...process.env, COSIGN_PASSWORD: '' },
  });
  return { status, output: `${stdout}${stderr}` };
}

/** @param packed File of a packed chart. */
function renderPacked(helm: string, packed: string) {
  return parseManifests(run(helm, ['template', 'outcomes', packed, '--kube-version', '1.33.0']));
}

/** @returns Names of the packages of each bill. */
function billsAt(oras: string, subject: string, folder: string): string[][] {
  const flags = ['--plain-http', '--format', 'json'];
  const found = JSON.parse(run(oras, ['discover', ...flags, '--artifact-type', materials, subject]));
  const into = join(folder, 'bills');
  for (const { digest } of found.manifests ?? found.referrers)
    run(oras, ['pull', '--plain-http', `${subject.split('@')[0]}@${digest}`, '--output', into]);
  return readdirSync(into).map((file) => {
    const { components } = JSON.parse(readFileSync(join(into, file), 'utf8'));
    return components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
  });
}
