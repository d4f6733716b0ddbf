export * from './mixture-prior';
export * from './platform-hyperprior';
