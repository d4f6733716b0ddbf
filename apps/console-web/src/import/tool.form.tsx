import { useState, type FormEvent } from 'react';
import type { FoundForm, Plan } from './import-plan.query';

interface Props {
  readonly routes: readonly FoundForm[];
  readonly isBusy: boolean;
  readonly onSend: (plan: Plan) => void;
}

const GRAINS: Readonly<Record<string, string>> = {
  message: 'Each row is a message.',
  activity: 'Each row is something that happened.',
  contact:
    'Each row is a contact: it only contains bounces and opt-outs, so steps and timing stay undecided.',
  campaign: 'Each row counts a campaign and contains no single message.',
};

/** A file of a tool that is known, and what its rows do not say. */
export function ToolForm({ routes, isBusy, onSend }: Props) {
  const [at, setAt] = useState(0);
  const route = routes[at];
  if (!route) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const said = (name: string) => ((given.get(name) as string | null) ?? '').trim() || undefined;
    const [timeZone, campaign, observed] = [said('zone'), said('campaign'), said('observed')];
    onSend({
      ...{ form: 'tool', tool: route.tool, route: route.route },
      context: {
        ...(timeZone && { timeZone }),
        ...(campaign && { campaign }),
        ...(observed && { observedUntil: new Date(observed).toISOString() }),
      },
    });
  };
  return (
    <form className="panel" onSubmit={submit}>
      <h2>{route.title}</h2>
      {routes.length > 1 && (
        <>
          <label htmlFor="route">Which export</label>
          <select id="route" value={at} onChange={({ target }) => setAt(Number(target.value))}>
            {routes.map(({ tool, route: name }, place) => (
              <option key={`${tool} ${name}`} value={place}>
                {tool}, {name}
              </option>
            ))}
          </select>
        </>
      )}
      <p>{GRAINS[route.grain]}</p>
      {route.isDraft && (
        <p>Parts of this format are known only from documentation: check the rejected rows afterwards.</p>
      )}
      {route.instead !== null && <p>Take another export: {route.instead}</p>}
      <label htmlFor="zone">Time zone for times without one</label>
      <input
        id="zone"
        name="zone"
        placeholder="Europe/Berlin"
        defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
      />
      <label htmlFor="campaign">Campaign id, if rows do not have it</label>
      <input id="campaign" name="campaign" maxLength={200} />
      <label htmlFor="observed">Time of the export, for rows without a time</label>
      <input id="observed" name="observed" type="datetime-local" />
      <div className="row">
        <button className="main" disabled={isBusy}>
          Send
        </button>
      </div>
    </form>
  );
}
