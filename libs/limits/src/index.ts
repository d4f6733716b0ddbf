export { AddressWindows } from './address/address-windows.service';
export type { BodyOwner } from './bodies/body-ledger';
export { RequestBodies } from './bodies/request-bodies.service';
export { AccessGuard } from './http/access.guard';
export { Admission, type AdmissionRule } from './http/admission';
export { BurstOnly } from './http/burst-only.decorator';
export { Consumed } from './http/consumed.decorator';
export { Direct, type DirectOptions } from './http/direct.decorator';
export { credentialsOf, type RequestCredentials } from './http/request-credentials';
export { requireKnownQuery } from './http/known-query';
export { RequestPipeline } from './http/request-pipeline.service';
export { serveDirectly } from './http/serve-directly';
export { Strangers } from './http/strangers.service';
export {
  Given,
  TakesArguments,
  type ArgumentsReader,
  type RequestAddress,
} from './http/takes-arguments.decorator';
export { RawBody, TakesBody } from './http/takes-body.decorator';
export { limitUnknownRoutes } from './http/unknown-route-limits';
export { subjectNameOf, type Consumption, type LimitSubject, type Surface } from './limiter/consumption';
export { ConcurrentRequests } from './shares/concurrent-requests.service';
export { PacedRefusals } from './shares/paced-refusals.service';
export { Limiter } from './limiter/limiter.service';
export { dayOfMonth, monthOf, startOfMonth } from './limiter/month';
export { keyAlerts } from './usage/key-alerts';
export { FLUSH_EVERY_MS } from './usage/usage-ledger.service';
export { UsageRepository, type CredentialMonth } from './usage/usage.repository';
export { LimiterModule, LimitsModule, pipelineProviders } from './limits.module';
