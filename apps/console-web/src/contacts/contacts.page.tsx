import type { RecipientIntelligence } from '@outcomes/contracts';
import { useState, type FormEvent } from 'react';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { Properties } from '../shell/properties.table';
import { TrustLine } from '../shell/trust.panel';
import { inWords, sourceInWords } from '../code-words.format';
import { momentOf, percent, whole } from '../words.format';

/** Looks one contact up. What is typed stays on the page: addresses do not belong into its address. */
export function ContactsPage() {
  const { company } = usePlace();
  const [contact, setContact] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setContact((new FormData(event.currentTarget).get('contact') as string).trim());
  };
  return (
    <>
      <h1>Contacts</h1>
      <form className="panel" onSubmit={submit}>
        <label htmlFor="contact">Contact id or e-mail address</label>
        <input id="contact" name="contact" maxLength={256} autoComplete="off" required />
        <div className="row">
          <button className="main">Look up</button>
        </div>
      </form>
      {contact !== '' && <Contact company={company} contact={contact} />}
    </>
  );
}

function Contact({ company, contact }: { readonly company: string; readonly contact: string }) {
  const path = `intelligence/contacts/${encodeURIComponent(contact)}`;
  const answer = useAnswer<RecipientIntelligence>(company, path);
  return (
    <AnswerPanel title={contact} query={answer} height={280}>
      {(said) => (
        <>
          <TrustLine answer={said} />
          <p>{permissionOf(said)}</p>
          <Properties rows={rowsOf(said)} />
        </>
      )}
    </AnswerPanel>
  );
}

function permissionOf({ can_contact, block_reasons }: RecipientIntelligence): string {
  if (can_contact === null) return 'Unknown: there is no record that this contact may be contacted.';
  return can_contact
    ? 'May be written to.'
    : `Must not be written to: ${block_reasons.map(inWords).join(', ')}.`;
}

function rowsOf({ history, position, reply_likelihood, next_best_action, segment }: RecipientIntelligence) {
  const { value, ci_low, ci_high, sample_size, data_source } = reply_likelihood;
  return [
    ['Position', `${inWords(position.inferred)} (${percent(position.confidence)} sure)`],
    ['Messages', whole(history.events)],
    [
      'Last outcome',
      history.last_outcome === null
        ? 'none'
        : `${inWords(history.last_outcome)}, ${momentOf(history.last_outcome_at)}`,
    ],
    [
      'Chance of a reply',
      value === null || ci_low === null || ci_high === null
        ? 'not stated'
        : `${percent(value)} (${percent(ci_low)} to ${percent(ci_high)}), n ${whole(sample_size)}, from ${sourceInWords(data_source)}`,
    ],
    ['Segment', segment.name ?? 'none'],
    ['Next best action', actionOf(next_best_action)],
    ['Why', next_best_action.rationale],
  ] as const;
}

/** "send, linkedin, step 2, not before 12 Nov 2026, 09:00": of what is advised, as much as is. */
function actionOf({ action, channel, sequence_step, not_before }: RecipientIntelligence['next_best_action']) {
  return [
    inWords(action),
    channel !== null && inWords(channel),
    sequence_step !== null && `step ${sequence_step}`,
    not_before !== null && `not before ${momentOf(not_before)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
