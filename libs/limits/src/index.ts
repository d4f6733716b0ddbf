export { AddressWindows } from './address/address-windows.service';
export { AccessGuard } from './http/access.guard';
export { BurstOnly } from './http/burst-only.decorator';
export { Consumed } from './http/consumed.decorator';
export { countUnmatchedRoutes } from './http/unmatched-routes';
export { burstHeaders, quotaHeaders } from './limiter/consumption';
export type { Consumption, LimitSubject, Surface } from './limiter/consumption';
export { Limiter } from './limiter/limiter.service';
export { LimiterModule, LimitsModule } from './limits.module';
