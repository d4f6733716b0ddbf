export { isDueEveryDay } from './daily-pattern';
export * from './queue-connection';
export * from './queue-names';
export { probeQueue } from './queue-probe';
export * from './queue-producer.service';
export * from './queue-telemetry';
