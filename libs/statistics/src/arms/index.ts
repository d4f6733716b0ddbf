export * from './arm-types';
export * from './best-arm';
export { fitArms, fitHyper, fitRates } from './fit-arms';
