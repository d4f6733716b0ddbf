export * from './arms';
export * from './numerics';
