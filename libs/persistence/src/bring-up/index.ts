export { bringUp, type Migrated } from '../database/migrate';
export { createServiceLogins, ensureServiceLogins, type InstallationLogin } from '../database/service-logins';
export { BACKUP_ROLE } from '../protection/group-roles';
