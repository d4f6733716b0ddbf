// @ts-check
/**
 * What a section works with; `folder` is an empty folder of its own outside the workspace, `packed` takes packages.
 * @typedef {{ report: import('../mcp/report.mjs').Report, folder: string, packed: string }} Section
 */
export {};
