import { createBootstrapCredential, type NewBootstrapCredential } from '@outcomes/auth';
import { CliFailure } from '../output/cli-failure';

/** @throws CliFailure naming what is wrong with the input */
export function drawCredential(input: NewBootstrapCredential) {
  const created = createBootstrapCredential(input);
  if ('faults' in created) throw new CliFailure(created.faults.join('; '));
  return created;
}
