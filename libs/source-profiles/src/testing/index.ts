export { EXAMPLES, type SourceExample } from './examples';
export { mapExample, routeOf } from './map-example';
export { ofAnother, spoiltRecords, type SpoiltRecord } from './spoilt-records';
