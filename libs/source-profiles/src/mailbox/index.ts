export { mailRecords } from './mail-record';
export { MAX_MAIL_BYTES, mboxMessages } from './mbox-messages';
