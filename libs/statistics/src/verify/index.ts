export { atLeast, atMost, between, type Check, formatCheck, mustFail } from './check';
