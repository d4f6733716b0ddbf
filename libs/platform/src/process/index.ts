export { filesIn, trustAuthorities } from '../runtime/trusted-authorities';
export { VERSION } from '../runtime/version';
