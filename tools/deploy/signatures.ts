// What verify:deploy says of signatures: those of what was published hold, and those of anything else do not.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { chart, run } from './chart.ts';
import { sign, verifySignature, type Signer } from './signing.ts';

/** Files of private keys; the public ones are beside them. */
interface Keys {
  own: string;
  foreign: string;
}

const bundle = 'application/vnd.dev.sigstore.bundle.v0.3+json';

export function keyPairs(cosign: string, folder: string): Keys {
  const [own, foreign] = ['own', 'foreign'].map((name) => {
    const args = ['generate-key-pair', '--output-key-prefix', join(folder, name)];
    const made = spawnSync(cosign, args, {
      ...{ encoding: 'utf8', timeout: 60_000 },
      env: { ...process.env, COSIGN_PASSWORD: '' },
    });
    if (made.status !== 0) throw new Failure(`cosign ${args[0]} failed:\n${made.stderr}`);
    return join(folder, `${name}.key`);
  });
  return { own: own ?? '', foreign: foreign ?? '' };
}

function publicOf(key: string) {
  return key.replace(/key$/, 'pub');
}

interface Place {
  signer: Signer;
  keys: Keys;
  registry: string;
  tools: { helm: string; crane: string; oras: string };
}

/**
 * @param published The chart, signed by deploy:publish.
 * @returns What was seen.
 */
export function checkSignatures(
  place: Place,
  published: { name: string; tag: string; digest: string },
): string {
  const { signer, keys, registry, tools } = place;
  const image = { name: 'image', tag: 'signed', digest: pushImage(place) };
  sign(signer, keys.own, byDigest(registry, image));
  const subjects = [
    { ...published, tamper: () => pushChangedChart(place, published.tag) },
    {
      ...image,
      tamper: () => run(tools.crane, ['mutate', '--insecure', '--label', 'a=b', byTag(registry, image)]),
    },
  ];
  for (const subject of subjects) {
    const exact = byDigest(registry, subject);
    expectHolds(place, exact, true, `${subject.name}: the signature does not hold`);
    expectHolds(
      place,
      byTag(registry, subject),
      true,
      `${subject.name}: its tag does not lead to what was signed`,
    );
    expectHolds(place, exact, false, `mutation: ${subject.name} holds for another key`, keys.foreign);
    // Carried to a copy, to know that a signature is found where it is carried to.
    const copy = { ...subject, name: `${subject.name}-copy` };
    run(tools.crane, ['copy', '--insecure', exact, byTag(registry, copy)]);
    carry(place, subject, copy);
    expectHolds(
      place,
      byDigest(registry, copy),
      true,
      `${subject.name}: the signature is not found beside a copy`,
    );
    subject.tamper();
    const tampered = { ...subject, digest: digestOf(place, byTag(registry, subject)) };
    if (tampered.digest === subject.digest) throw new Failure(`${subject.name}: nothing was tampered with`);
    expectHolds(
      place,
      byTag(registry, subject),
      false,
      `mutation: ${subject.name}, tampered with, is taken by its tag`,
    );
    carry(place, subject, tampered);
    expectHolds(
      place,
      byTag(registry, subject),
      false,
      `mutation: ${subject.name}, tampered with, is taken with the signature of what it was`,
    );
    expectHolds(place, exact, true, `${subject.name}: the signature is gone`);
  }
  return 'chart and image hold by digest and by tag; another key, what was tampered with, and a signature carried to it do not';
}

interface Artifact {
  name: string;
  tag: string;
  digest: string;
}

function byDigest(registry: string, { name, digest }: Artifact) {
  return `${registry}/${name}@${digest}`;
}

function byTag(registry: string, { name, tag }: Artifact) {
  return `${registry}/${name}:${tag}`;
}

function digestOf({ tools }: Place, subject: string) {
  return run(tools.crane, ['digest', '--insecure', subject]).trim();
}

function expectHolds(
  { signer, keys }: Place,
  subject: string,
  wanted: boolean,
  fault: string,
  key: string = keys.own,
) {
  const { holds, complaint } = verifySignature(signer, publicOf(key), subject);
  if (holds !== wanted) throw new Failure(`${fault}\n${complaint}`);
  // A registry that does not answer proves nothing.
  if (
    !holds &&
    !/no (matching )?(signatures|attestations)|invalid signature|provided artifact digest/i.test(complaint)
  )
    throw new Failure(`it was refused, but not for its signature:\n${complaint}`);
}

/** A small image. @returns Its digest. */
function pushImage({ signer, registry, tools }: Place): string {
  const content = join(signer.folder, 'layer');
  mkdirSync(content);
  writeFileSync(join(content, 'file'), 'content');
  run('tar', ['-cf', join(signer.folder, 'layer.tar'), '-C', content, '.']);
  const subject = `${registry}/image:signed`;
  const written = run(tools.crane, [
    ...['append', '--insecure', '--new_layer', join(signer.folder, 'layer.tar')],
    ...['--new_tag', subject],
  ]);
  return written.trim().split('@')[1] ?? '';
}

/** The chart with one more line, under the version that was published. */
function pushChangedChart({ signer, registry, tools }: Place, version: string) {
  const changed = join(signer.folder, 'changed');
  cpSync(chart, changed, { recursive: true });
  const notes = join(changed, 'templates/NOTES.txt');
  writeFileSync(notes, `${readFileSync(notes, 'utf8')}\nchanged\n`);
  run(tools.helm, ['package', changed, '--version', version, '--destination', signer.folder]);
  run(tools.helm, [
    'push',
    join(signer.folder, `outcomes-${version}.tgz`),
    `oci://${registry}`,
    '--plain-http',
  ]);
}

/** Puts the signature of one artifact beside another one. */
function carry({ signer, registry, tools }: Place, from: Artifact, to: Artifact) {
  const tagOf = ({ name, digest }: Artifact) => `${registry}/${name}:${digest.replace(':', '-')}.sig`;
  // Until version 2 a signature is what a tag of its own leads to, since then it refers to its subject.
  const tags = run(tools.crane, ['ls', '--insecure', `${registry}/${from.name}`]);
  if (tags.includes('.sig')) return void run(tools.crane, ['copy', '--insecure', tagOf(from), tagOf(to)]);
  const flags = ['--plain-http', '--format', 'json', '--artifact-type', bundle];
  const found = JSON.parse(run(tools.oras, ['discover', ...flags, byDigest(registry, from)]));
  const { digest } = (found.manifests ?? found.referrers)[0];
  const manifest = JSON.parse(
    run(tools.oras, ['manifest', 'fetch', '--plain-http', `${registry}/${from.name}@${digest}`]),
  );
  const content = run(tools.oras, [
    ...[
      'blob',
      'fetch',
      '--plain-http',
      '--output',
      '-',
      `${registry}/${from.name}@${manifest.layers[0].digest}`,
    ],
  ]);
  writeFileSync(join(signer.folder, 'carried.json'), content);
  const notes = Object.entries<string>(manifest.annotations ?? {}).flatMap(([key, value]) => [
    '--annotation',
    `${key}=${value}`,
  ]);
  run(tools.oras, ['attach', ...flags, ...notes, byDigest(registry, to), `carried.json:${bundle}`], {
    cwd: signer.folder,
  });
}
