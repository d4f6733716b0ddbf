/** Version of the computation behind every number. It changes whenever the same data would give other numbers. */
export const ENGINE_VERSION = '2.1.0';
