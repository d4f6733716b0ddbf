export * from './delay-curve';
