import type { Report } from './report.ts';
import type { Gateway } from './servers.ts';

/** What a section works with; `folder` is an empty folder of its own outside the workspace. */
export interface Section {
  gateway: Gateway;
  report: Report;
  folder: string;
  isShort: boolean;
}
export {};
