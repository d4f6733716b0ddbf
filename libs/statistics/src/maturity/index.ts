export {
  type DefaultDelay,
  DELAY_BINS_PER_DAY,
  type DelayCohort,
  type DelayCurve,
  EMAIL_DELAY,
  fitDelayCurve,
  LINKEDIN_DELAY,
  maturity,
} from './delay-curve';
export * from './watched-delays';
export * from './late-replies';
