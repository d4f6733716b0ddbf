// @ts-check
/**
 * What a section works with; `folder` is an empty folder of its own outside the workspace.
 * @typedef {{ report: import('../mcp/report.mjs').Report, folder: string }} Section
 */
export {};
