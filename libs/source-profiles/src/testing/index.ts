export { EXAMPLES, type SourceExample } from './examples';
export { mapExample, routeOf } from './map-example';
