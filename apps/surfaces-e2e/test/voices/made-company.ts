import type { TenantScope } from '@outcomes/tenancy';
import type { OptOutServices } from '../opt-out-company';
import type { PlannedCompany } from './planned-company';
import type { PlannedMessage } from './planned-messages';

/** What the services take at once. */
const MAX_EVENTS = 500;
/** What is read is as old as it says only if the clock that it was written by was right. */
const MARGIN_MS = 1_000;

/** Takes a planned company through ingestion, processing, every analysis and every erasure, at the times of its plan. */
export async function madeCompany(services: OptOutServices, plan: PlannedCompany): Promise<TenantScope> {
  const scope = await services.newCompany();
  const waiting = plan.messages.filter((message) => !plan.later.has(message));
  for (const at of plan.analysedAt) {
    services.now = at;
    await sendAndProcess(services, scope, waiting.splice(0, countBefore(waiting, at)));
    await services.analyse(scope);
  }
  services.now = plan.readAt - MARGIN_MS;
  await sendAndProcess(services, scope, [...waiting, ...plan.later]);
  for (const [recipient, keepsSuppression] of plan.erased)
    await services.erase(scope, recipient, keepsSuppression);
  if (plan.erased.size > 0 && plan.seed % 2 === 0) await services.analyse(scope);
  return scope;
}

async function sendAndProcess(
  services: OptOutServices,
  scope: TenantScope,
  messages: readonly PlannedMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  for (let from = 0; from < messages.length; from += MAX_EVENTS)
    await services.send(
      scope,
      messages.slice(from, from + MAX_EVENTS).map(({ event }) => event),
    );
  await services.process(scope);
}

/** How many messages, oldest first, have their outcome before a time. */
function countBefore(messages: readonly PlannedMessage[], at: number): number {
  const first = messages.findIndex(({ event }) => Date.parse(String(event.outcome_at)) >= at);
  return first < 0 ? messages.length : first;
}
