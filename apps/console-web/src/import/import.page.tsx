import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { usePlace } from '../api/place.query';
import { whole } from '../words.format';
import { ColumnsForm } from './columns.form';
import type { Plan, Progress } from './import-plan.query';
import { useImport } from './import-worker.query';
import { ProcessingPanel } from './processing.panel';
import { RejectsPanel } from './rejects.panel';
import { ToolForm } from './tool.form';

const LEAVE = 'Not everything is sent yet. Stop the import and leave this page?';

/** History from a file: it is read in this tab, and only what is mapped leaves it. */
export function ImportPage() {
  const { company } = usePlace();
  const [file, setFile] = useState<File>();
  const { state, ask } = useImport();
  const { looked, stage, progress, rejects, failure } = state;
  const isBusy = stage === 'sending' || stage === 'waiting';
  // The worker that sends ends with the page.
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isBusy && next.pathname !== current.pathname && !window.confirm(LEAVE),
    enableBeforeUnload: isBusy,
  });
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    if (chosen) ask({ kind: 'look', file: chosen });
  };
  const send = (plan: Plan) => {
    if (file) ask({ kind: 'send', file, company, plan });
  };
  const own = Object.fromEntries((looked?.columns ?? []).map((column) => [column, column]));
  return (
    <>
      <h1>Import</h1>
      <section className="panel">
        <h2>File</h2>
        <p>
          A CSV of sent messages and what came of them. It is read in this tab; columns without a place never
          leave it.
        </p>
        <label htmlFor="file">CSV file</label>
        <input
          id="file"
          type="file"
          accept=".csv,text/csv"
          disabled={isBusy}
          onChange={({ target }) => choose(target.files?.[0])}
        />
        {failure !== undefined && (
          <p role="alert" className="fault">
            {failure}
          </p>
        )}
      </section>
      {looked?.known.form === 'own' && (
        <section className="panel">
          <h2>Known columns</h2>
          <p>The file has the columns of this service: {looked.columns.join(', ')}.</p>
          <button className="main" disabled={isBusy} onClick={() => send({ form: 'columns', columns: own })}>
            Send
          </button>
        </section>
      )}
      {looked?.known.form === 'tool' && (
        <ToolForm routes={looked.known.routes} isBusy={isBusy} onSend={send} />
      )}
      {looked?.known.form === 'unknown' && (
        <ColumnsForm
          key={looked.columns.join()}
          columns={looked.columns}
          sample={looked.sample}
          isBusy={isBusy}
          onSend={send}
        />
      )}
      {(isBusy || progress) && (
        <section className="panel" aria-label="Progress">
          <h2>Progress</h2>
          <p role="status" data-testid="progress">
            {progress ? countsOf(progress) : 'The file is being read'}
            {stage === 'sent' ? '. All is sent.' : isBusy ? ' …' : '.'}
            {stage === 'waiting' && ' The console does not answer. It is tried again.'}
          </p>
          {isBusy && <p>Keep this page open: the import ends with it.</p>}
        </section>
      )}
      {rejects && <RejectsPanel rejects={rejects} />}
      {stage === 'sent' && <ProcessingPanel company={company} />}
    </>
  );
}

function countsOf({ read, accepted, duplicates, rejected, skipped, takenAnyway }: Progress): string {
  const taken =
    takenAnyway > 0
      ? `, ${whole(takenAnyway)} opt-outs and bounces taken from rows that were skipped or rejected`
      : '';
  return `${whole(read)} rows read, ${whole(accepted)} events accepted, ${whole(duplicates)} of them known before, ${whole(rejected)} rejected, ${whole(skipped)} rows told nothing${taken}`;
}
