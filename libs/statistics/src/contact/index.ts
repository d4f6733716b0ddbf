export * from './calibration';
export * from './contact-model';
export * from './decide';
export * from './frozen-decision';
export * from './penalised-logistic';
export * from './reliability';
