import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '../mcp/report.ts';
import { verifyDescriptions } from './descriptions.ts';
import { verifyPythonClient } from './python-client.ts';
import { verifyTypescriptClients } from './typescript-clients.ts';

/** What linters and generators that others wrote make of the API descriptions. */
export const foreign = {
  openapi: [verifyDescriptions],
  clients: [verifyTypescriptClients, verifyPythonClient],
};

/**
 * Prints a line for each promise; where a toolchain is missing, NOT RUN, which is a failure.
 * @returns whether all hold
 */
export async function verifyForeign(name: keyof typeof foreign): Promise<boolean> {
  const report = new Report();
  console.log(`\n== ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-surfaces-'));
  try {
    for (const verify of foreign[name]) await verify({ report, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report.failures === 0;
}
