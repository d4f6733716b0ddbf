export { WebhookDeliveries } from './delivery/webhook-deliveries.service';
export type { ListedDelivery, ListedWebhook } from './endpoints/endpoint.repository';
export { WebhookAdministration, type CreatedWebhook } from './endpoints/webhook-administration';
export { isWanted, subscriptionsOf, writeMessages, type Subscription } from './outbox/message.repository';
export { WEBHOOK_TYPES, type WebhookMessage, type WebhookType } from './webhook-types';
export { WebhooksModule } from './webhooks.module';
