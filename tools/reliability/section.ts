import type { Installation } from './installation.ts';
import type { Report } from './report.ts';

/** What a part of the verification is given. */
export interface Section {
  installation: Installation;
  report: Report;
  progress: (name: string, whole: number) => (done: number, text: string) => void;
  isShort: boolean;
}

const width = 20;

/**
 * A bar on a terminal; elsewhere a line for every quarter.
 * @returns Shows how far it is; the whole ends it.
 */
export function progress(name: string, whole: number): (done: number, text: string) => void {
  const { stdout } = process;
  let quarter = -1;
  return (done, text) => {
    const share = Math.min(1, done / whole);
    if (stdout.isTTY) {
      const full = Math.round(share * width);
      stdout.write(
        `\r\x1b[2K${share < 1 ? `  ${name} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${text}` : ''}`,
      );
    } else if (Math.floor(share * 4) > quarter && share < 1) {
      quarter = Math.floor(share * 4);
      stdout.write(`        ${name}: ${Math.round(share * 100)} %${text && `, ${text}`}\n`);
    }
  };
}
