// Signatures by cosign with a key, and no transparency log: a registry may be nobody else's business.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';

const timeout = 60_000;
const overHttp = ['--allow-http-registry', '--allow-insecure-registry'];

/** `folder`: for files that are not kept. */
export interface Signer {
  cosign: string;
  folder: string;
  plainHttp: boolean;
}

function ask(cosign: string, args: string[]) {
  return spawnSync(cosign, args, { encoding: 'utf8', timeout });
}

/** From version 3 on cosign is told by a file which services take part; before, by a flag. */
function withoutLog({ cosign, folder }: Signer): string[] {
  const { stdout } = ask(cosign, ['version', '--json']);
  if (/"gitVersion": *"v?2\./.test(stdout)) return ['--tlog-upload=false'];
  const file = join(folder, 'signing-config.json');
  const made = ask(cosign, ['signing-config', 'create', '--out', file]);
  if (made.status !== 0) throw new Failure(`cosign signing-config failed:\n${made.stderr}`);
  return ['--signing-config', file];
}

/**
 * @param key A file, or what else cosign takes; its password is in COSIGN_PASSWORD.
 * @param subject By digest.
 */
export function sign(signer: Signer, key: string, subject: string) {
  const flags = [...withoutLog(signer), ...(signer.plainHttp ? overHttp : [])];
  const signed = ask(signer.cosign, ['sign', '--yes', '--key', key, ...flags, subject]);
  if (signed.status !== 0) throw new Failure(`cosign sign ${subject} failed:\n${signed.stderr}`);
}

/**
 * @param key File of the public key.
 * @param subject By digest, or by its tag.
 */
export function verifySignature(
  { cosign, plainHttp }: Signer,
  key: string,
  subject: string,
): { holds: boolean; complaint: string } {
  const flags = ['--insecure-ignore-tlog=true', ...(plainHttp ? overHttp : [])];
  const { status, stderr } = ask(cosign, ['verify', '--key', key, ...flags, subject]);
  return { holds: status === 0, complaint: stderr.trim() };
}
