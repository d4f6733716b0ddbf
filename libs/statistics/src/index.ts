export * from './numerics';
