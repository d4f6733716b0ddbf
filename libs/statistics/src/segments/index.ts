export * from './preference-segments';
export * from './preference-test';
