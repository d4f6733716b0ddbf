export * from './find-segments';
export * from './preference-segments';
export * from './preference-test';
