// `npm run deploy:publish`: chart and images into an OCI registry, with what they are made of, and signed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { Failure } from '../local/failure.mjs';
import { onPath } from '../local/processes.mjs';
import { program } from '../local/program.mjs';
import { ensureLocalDirectory, localDirectory, root } from '../local/settings.mjs';
import { chart, findHelm, run } from './chart.ts';
import { sign } from './signing.ts';

const help = `Usage: npm run deploy:publish -- REGISTRY [--images] [--key KEY] [--version VERSION] [--plain-http]

Packs the Helm chart and pushes it to REGISTRY, say registry.example.com/outcomes, as an OCI artifact; attaches the bill of
materials of every application (CycloneDX, as npm tells it from the lock file), and signs what was pushed. Prints a line for
each thing with its digest; what could not be done is FAIL, and the exit code 1. Log in before: helm registry login.

  --images       also pushes the images that npm run verify:images has built, each with its own bill of materials
  --key KEY      signs by cosign with this key (a file, or what else cosign takes); nothing is signed without it
  --version V    of the chart and of what it installs, instead of the chart's own
  --plain-http   the registry speaks HTTP: one on this machine

Needs helm and oras; with --images buildah, with --key cosign.`;

const folder = join(localDirectory, 'publish');
const materials = 'application/vnd.cyclonedx+json';
const apps = ['read-api', 'ingest-api', 'mcp-gateway', 'analysis-worker', 'console', 'outcomes-cli'];

interface Target {
  registry: string;
  version: string;
  plainHttp: boolean;
  key: string | undefined;
}

function print(what: string, measured: string, holds = true) {
  console.log(`${holds ? 'PASS' : 'FAIL'}  ${what.padEnd(60)} ${measured}`);
  if (!holds) process.exitCode = 1;
}

function find(name: string, advice: string): string {
  const file = onPath(name);
  if (!file) throw new Failure(`There is no ${name} on this machine: ${advice}`);
  return file;
}

/**
 * The bill of materials of what an application runs with. "omit dev" would leave out whatever the workspace uses for its
 * development as well, the framework first.
 * @returns Its file.
 */
function billOf(app: string): string {
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const bill = JSON.parse(run('npm', ['sbom', ...flags, '--workspace', `apps/${app}`]));
  const { name } = JSON.parse(readFileSync(join(root, 'apps', app, 'package.json'), 'utf8'));
  const isOurs = (component: { 'bom-ref': string }) => component['bom-ref'].startsWith(`${name}@`);
  // npm calls the workspace what its folder is called.
  bill.metadata.component = bill.components.find(isOurs);
  bill.components = bill.components.filter((component: any) => !isOurs(component));
  const file = join(folder, `${app}.cdx.json`);
  writeFileSync(file, JSON.stringify(bill, null, 2));
  print(`bill of materials of ${app}`, `${bill.components.length} packages`, bill.components.length > 0);
  return file;
}

/** @returns The chart as it lies in the registry, by digest. */
function pushChart(helm: string, { registry, version, plainHttp }: Target): string {
  const versions = ['--version', version, '--app-version', version];
  run(helm, ['package', chart, ...versions, '--destination', folder]);
  const { name } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  const packed = join(folder, `${name}-${version}.tgz`);
  const flags = plainHttp ? ['--plain-http'] : [];
  const pushed = spawnSync(helm, ['push', packed, `oci://${registry}`, ...flags], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  const digest = /Digest: (sha256:[0-9a-f]{64})/.exec(`${pushed.stdout}${pushed.stderr}`)?.[1];
  if (pushed.status !== 0 || !digest)
    throw new Failure(`helm push failed:\n${pushed.stdout}${pushed.stderr}`);
  print(`chart ${name} ${version}`, digest);
  return `${registry}/${name}@${digest}`;
}

function pushImage(app: string, { registry, version, plainHttp }: Target): string {
  const image = `outcomes-${app.replace('outcomes-', '')}`;
  const written = join(folder, `${image}.digest`);
  const flags = ['--digestfile', written, ...(plainHttp ? ['--tls-verify=false'] : [])];
  run('buildah', ['push', ...flags, `localhost/${image}`, `docker://${registry}/${image}:${version}`], {
    timeout: 1_200_000,
  });
  const digest = readFileSync(written, 'utf8').trim();
  print(`image ${image} ${version}`, digest);
  return `${registry}/${image}@${digest}`;
}

function attach(oras: string, subject: string, bills: readonly string[], { plainHttp }: Target) {
  const flags = ['--format', 'json', '--artifact-type', materials, ...(plainHttp ? ['--plain-http'] : [])];
  const attached = bills.map((bill) => {
    // By names without a folder, as they are to be found again.
    const file = `${basename(bill)}:${materials}`;
    return JSON.parse(run(oras, ['attach', ...flags, subject, file], { cwd: folder, timeout: 300_000 }))
      .digest;
  });
  const found = run(oras, ['discover', ...flags, subject]);
  const missing = attached.filter((digest) => !found.includes(`"${digest}"`)).length;
  print(
    `bills of materials at ${subject.split('@')[0]}`,
    `${attached.length - missing} of ${attached.length}`,
    missing === 0,
  );
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      images: { type: 'boolean', default: false },
      key: { type: 'string' },
      version: { type: 'string' },
      'plain-http': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [registry] = positionals;
  if (values.help || !registry) return console.log(help);
  const helm = findHelm();
  if (!helm) throw new Failure('There is no helm on this machine. Install it, or set HELM to where it is.');
  const oras = find('oras', 'https://oras.land, or go install oras.land/oras/cmd/oras@latest');
  const cosign = values.key ? find('cosign', 'https://docs.sigstore.dev') : undefined;
  ensureLocalDirectory();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const own = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')).version;
  const target = {
    ...{ registry: registry.replace(/^oci:\/\//, ''), version: values.version ?? String(own) },
    ...{ plainHttp: values['plain-http'], key: values.key },
  };
  const bills = apps.map(billOf);
  const pushed = [{ subject: pushChart(helm, target), bills }];
  if (values.images) {
    find('buildah', 'Debian has it');
    const store = join(localDirectory, 'containers/storage.conf');
    if (existsSync(store)) process.env['CONTAINERS_STORAGE_CONF'] = store;
    for (const [at, app] of apps.entries())
      pushed.push({ subject: pushImage(app, target), bills: bills.slice(at, at + 1) });
  }
  for (const { subject, bills: own } of pushed) {
    attach(oras, subject, own, target);
    if (cosign) {
      sign({ cosign, folder, plainHttp: target.plainHttp }, target.key ?? '', subject);
      print(`signature of ${subject.split('@')[0]}`, 'by cosign');
    }
  }
  if (!cosign) console.log('Nothing was signed: --key names a key for cosign.');
});
