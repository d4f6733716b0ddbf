import type { Clock } from '@outcomes/platform';
import type { TenantDatabase } from '@outcomes/tenancy';
import { EventDeletion } from '../deletion/event-deletion.service';
import { ReanalysisRequestRepository } from '../deletion/reanalysis-request.repository';
import { RecipientRowsRepository } from '../deletion/recipient-rows.repository';
import { OutcomeEventRepository } from '../storage/outcome-event.repository';
import { HeldDeliveryRepository } from '../sources/held-delivery.repository';
import { SuppressionRepository } from '../suppressions/suppression.repository';
import { SuppressionListRepository } from '../suppressions/suppression-list.repository';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { Suppressions } from '../suppressions/suppressions.service';
import { CountRepository } from '../touches/count.repository';
import { EventPlacement } from '../touches/event-placement.service';
import { StoredEventRepository } from '../touches/stored-event.repository';
import { TouchFolding } from '../touches/touch-folding.service';
import { TouchGathering } from '../touches/touch-gathering.service';
import { TouchRepository } from '../touches/touch.repository';
import { ErasureLedgerRepository } from './erasure-ledger.repository';
import { ErasureReplay } from './erasure-replay.service';

/**
 * For the command line, which has no container of services. The analyses that the erasures ask for stand in Postgres,
 * where the worker finds them.
 * @param database - as the owner of the tables
 */
export function createErasureReplay(database: TenantDatabase, clock: Clock): ErasureReplay {
  const events = new StoredEventRepository();
  const touches = new TouchRepository();
  const ledger = new ErasureLedgerRepository();
  const suppressions = new Suppressions(new SuppressionRepository());
  const list = new SuppressionList(database, new SuppressionListRepository(), clock);
  const held = new HeldDeliveryRepository();
  const folding = new TouchFolding(
    events,
    new EventPlacement(events),
    new TouchGathering(events, touches),
    touches,
    new CountRepository(),
  );
  const deletion = new EventDeletion(
    database,
    new OutcomeEventRepository(database),
    new RecipientRowsRepository(),
    folding,
    suppressions,
    list,
    held,
    new ReanalysisRequestRepository(database),
    { request: () => undefined },
    ledger,
    clock,
  );
  return new ErasureReplay(database, ledger, suppressions, list, held, deletion);
}
