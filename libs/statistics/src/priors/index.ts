export * from './platform-hyperprior';
