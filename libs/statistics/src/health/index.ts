export * from './campaign-health';
export * from './guard-e-value';
export * from './reply-rate';
export * from './reply-ratio';
