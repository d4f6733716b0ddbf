import { useState } from 'react';
import { useAnswer, type AgentAccess } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { KeyForm, type CreatedKey } from './key.form';
import { KeyTable } from './key.table';
import { CreatedKeyPanel } from './created-key.panel';

/** Keys of agents and pipes, and the tenant id that they stand for. */
export function AccessPage() {
  const { company } = usePlace();
  const access = useAnswer<AgentAccess>(company, 'keys');
  // Here and nowhere else: gone with the page.
  const [created, setCreated] = useState<CreatedKey>();
  return (
    <>
      <h1>Agent access</h1>
      <p className="quiet">Keys let agents read what was learned, and pipes send outcomes.</p>
      <AnswerPanel title="Tenant ID" query={access} height={32}>
        {({ tenantId }) => (
          <p>
            <code className="whole" data-testid="tenant-id">
              {tenantId}
            </code>
          </p>
        )}
      </AnswerPanel>
      {created && access.data && (
        <CreatedKeyPanel created={created} access={access.data} onDone={() => setCreated(undefined)} />
      )}
      <AnswerPanel title="Keys" query={access} height={240}>
        {(answer) => (
          <>
            <KeyTable company={company} access={answer} />
            <KeyForm company={company} access={answer} onCreated={setCreated} />
          </>
        )}
      </AnswerPanel>
    </>
  );
}
