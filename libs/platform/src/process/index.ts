export { poolerNamed, POOLERS, type Pooler } from '../config/pooler';
export { filesIn, trustAuthorities } from '../runtime/trusted-authorities';
export { VERSION } from '../runtime/version';
export { randomBase62 } from '../secrets/random-base62';
