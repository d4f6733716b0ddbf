export { poolerNamed, POOLERS, type Pooler } from '../config/pooler';
export { filesIn, trustAuthorities } from '../runtime/trusted-authorities';
export { VERSION } from '../runtime/version';
