export { EXAMPLES, type SourceExample } from './examples';
