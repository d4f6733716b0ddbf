export * from './queue-connection';
export * from './queue-names';
export * from './queue-producer.service';
export * from './queue-telemetry';
