export { Fails, Succeeds, type SuccessDescription } from './answers.decorator';
export { describeApi, printDescription, type ApiSurface } from './describe-api';
export type { ResponseHeader } from './response-headers';
export { serveDescription } from './serve-description';
