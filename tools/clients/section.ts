import type { Report } from '../mcp/report.ts';

/** What a section works with; `folder` is an empty folder of its own outside the workspace, `packed` takes packages. */
export interface Section {
  report: Report;
  folder: string;
  packed: string;
}
export {};
