export * from './rng';
export * from './samplers';
