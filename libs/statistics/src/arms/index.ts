export * from './arm-types';
export * from './best-arm';
export { fitArms } from './fit-arms';
