export * from './arms';
export * from './drift';
export * from './numerics';
export * from './patterns';
export * from './random';
