export { WebhookDeliveries } from './delivery/webhook-deliveries.service';
export {
  WebhookAdministration,
  type CreatedWebhook,
  type ListedDelivery,
  type ListedWebhook,
} from './endpoints/webhook-administration';
export { isWanted, subscriptionsOf, writeMessages, type Subscription } from './outbox/message.repository';
export { WEBHOOK_TYPES, type WebhookMessage, type WebhookType } from './webhook-types';
export { WebhooksModule } from './webhooks.module';
