import { useRef, useState, type FormEvent } from 'react';
import { useChange, type CompanyOfMine } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { counted } from '../words.format';

interface Erasure {
  readonly recipientId: string;
  readonly keepSuppression: boolean;
}

interface Erased {
  readonly deleted: number;
  readonly suppression: 'kept' | 'removed' | 'none';
}

const FATE_WORDS: Readonly<Record<Erased['suppression'], string>> = {
  kept: ' The opt-out is kept.',
  removed: ' The opt-out is gone with them.',
  none: '',
};

/** Deletes a recipient. What is typed travels in a body: it may be an address. */
export function ErasureForm({ company }: { readonly company: CompanyOfMine }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<Erasure>();
  const erase = useChange<Erasure, Erased>(company.companyId, 'erasures', (body) => ({
    ...{ method: 'POST', body },
  }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setAsked({
      // Of the contract: blanks are part of an id.
      recipientId: given.get('recipient') as string,
      keepSuppression: given.get('keep') === 'on',
    });
    erase.reset();
    dialog.current?.showModal();
  };
  const confirm = () => {
    if (asked) erase.mutate(asked, { onSuccess: () => dialog.current?.close() });
  };
  return (
    <section className="panel">
      <h2>Delete a recipient</h2>
      <form onSubmit={submit}>
        <p>
          Deletes every event of a recipient and whatever was derived from them. It cannot be taken back; the
          next analysis counts without them.
        </p>
        <label htmlFor="erased">Recipient id</label>
        <input id="erased" name="recipient" maxLength={256} autoComplete="off" required />
        <label className="choice" htmlFor="keep">
          <input id="keep" name="keep" type="checkbox" defaultChecked /> Keep an opt-out, as a hash and a
          date, so that nobody writes again
        </label>
        <div className="row">
          <button className="main">Delete</button>
          <span role="status">
            {erase.data &&
              `${counted(erase.data.deleted, 'event')} deleted.${FATE_WORDS[erase.data.suppression]}`}
          </span>
        </div>
      </form>
      <dialog ref={dialog} aria-labelledby="erase-title">
        <h2 id="erase-title">Delete this recipient?</h2>
        <p>
          {asked?.recipientId}, in {company.name}
        </p>
        {erase.error && <Failure error={erase.error} />}
        <div className="row">
          <button className="main" disabled={erase.isPending} onClick={confirm}>
            Delete for good
          </button>
          <button onClick={() => dialog.current?.close()}>Keep</button>
        </div>
      </dialog>
    </section>
  );
}
