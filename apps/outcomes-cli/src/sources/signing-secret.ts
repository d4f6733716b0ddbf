import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import { CliFailure } from '../output/cli-failure';
import { remark } from '../output/terminal';

const VARIABLE = 'SOURCE_SIGNING_SECRET';

/** An argument is seen in lists of processes, histories of shells and audit logs of clusters, so there are other ways. */
export function signingSecretOption(which: string): Option {
  return new Option(
    '--signing-secret <secret>',
    `${which} that the tool signs with, if it shows one; - reads it from standard input, which keeps it out of process lists and histories`,
  ).env(VARIABLE);
}

/** @returns the secret itself where it is to be read from standard input */
export async function signingSecretOf(given: string | undefined): Promise<string | undefined> {
  if (given !== '-') return given;
  if (process.stdin.isTTY) remark('Type the secret, then press Enter and Ctrl-D.');
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (secret === '')
    throw new CliFailure(
      `--signing-secret - found nothing on standard input. Pipe the secret in (kubectl exec needs -i), or set ${VARIABLE}.`,
    );
  return secret;
}
