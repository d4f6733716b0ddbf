export * from './answer-check';
export * from './attach-database';
export * from './clocks';
export * from './command-line';
export * from './described-api';
export * from './dump';
export * from './faulty-proxy';
export { addsGoldens, inForm, isFullForm, noteFigures } from './form.config';
export * from './installation';
export * from './round-robin';
export { itDescribesItself, type DescribedSurface } from './served-description';
export { freePort, startServiceProcess, type ServiceProcess } from './service-process';
export { joinSharedInstallation, shareInstallation } from './shared-installation';
export {
  ENOUGH_FOR_ALL,
  joinSharedService,
  sharedService,
  startSharedService,
  startSharedServices,
  stopSharedServices,
  type JoinedService,
  type SharedService,
} from './shared-services';
export { resultCheck } from './strict-schema';
export * from './tcp-proxy';
export {
  bearer,
  plantTenant,
  type KeyMaking,
  type KeyOptions,
  type Tenant,
  type TenantOptions,
} from './tenants';
export * from './test-database';
export { inheritedEnvironment, podsPerService } from './test-servers.config';
export * from './wait-until';
export * from './waiting-for-lock';
