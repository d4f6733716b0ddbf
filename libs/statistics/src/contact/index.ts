export * from './calibration';
export * from './contact-model';
export * from './decide';
