export * from './find-segments';
