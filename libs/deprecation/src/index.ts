export { AnnouncementsModule } from './announcements/announcements.module';
export { Announcer, type AnnouncementReport } from './announcements/announcer.service';
export { SMTP_SETTINGS, SmtpMailer, type SmtpSettings } from './announcements/smtp-mailer.service';
export { Deprecated, deprecationOf } from './marking/deprecated.decorator';
export { deprecationHeaders } from './marking/deprecation-headers';
export { describeDeprecations } from './marking/describe-deprecations';
