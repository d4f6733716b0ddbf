// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '../mcp/report.mjs';
import { verifyDescriptions } from './descriptions.mjs';
import { verifyPythonClient } from './python-client.mjs';
import { verifyTypescriptClients } from './typescript-clients.mjs';

/** What linters and generators that others wrote make of the API descriptions. */
export const foreign = {
  openapi: [verifyDescriptions],
  clients: [verifyTypescriptClients, verifyPythonClient],
};

/**
 * Prints a line for each promise; where a toolchain is missing, NOT RUN, which is a failure.
 * @param {keyof typeof foreign} name
 * @returns {Promise<boolean>} whether all hold
 */
export async function verifyForeign(name) {
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
