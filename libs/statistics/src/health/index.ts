export * from './campaign-health';
export * from './guard-e-value';
export * from './reply-ratio';
