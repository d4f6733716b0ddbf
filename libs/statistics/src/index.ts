export * from './arms';
export * from './drift';
export * from './health';
export * from './maturity';
export * from './numerics';
export * from './patterns';
export * from './priors';
export * from './random';
