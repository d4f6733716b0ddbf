export { BASE_PATH, describeReadApi } from './read-api.document';
export { addressOf, Read } from './read.decorator';
