export { stopSharedServices as default } from '@outcomes/testing';
