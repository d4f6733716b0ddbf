// @ts-check
/**
 * What a section works with; `folder` is an empty folder of its own outside the workspace.
 * @typedef {{
 *   gateway: import('./servers.mjs').Gateway, report: import('./report.mjs').Report, folder: string, isShort: boolean,
 * }} Section
 */
export {};
