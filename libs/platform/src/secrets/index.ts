export * from './random-base62';
export * from './secret-box';
