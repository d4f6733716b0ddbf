export { Fails, Succeeds, type SuccessDescription } from './answers.decorator';
export { describeApi, type ApiSurface } from './describe-api';
export { previewDescription, type PreviewedService } from './preview-description';
export type { ResponseHeader } from './response-headers';
export { serveDescription } from './serve-description';
