import type { CompanySettings } from '@outcomes/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type FormEvent } from 'react';
import { useAnswer, useChange } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel, Failure } from '../shell/answer.panel';

/** What the company is called, and by which clock its messages are read. */
export function SettingsPage() {
  const { company } = usePlace();
  const settings = useAnswer<CompanySettings>(company, 'settings');
  // Here, because what is saved makes the form anew.
  const change = useChange<CompanySettings, CompanySettings>(company, 'settings', (body) => ({
    ...{ method: 'PUT', body },
  }));
  return (
    <>
      <h1>Settings</h1>
      <AnswerPanel title="Company" query={settings} height={260}>
        {(answer) => (
          <SettingsForm key={`${answer.name} ${answer.timeZone}`} settings={answer} change={change} />
        )}
      </AnswerPanel>
    </>
  );
}

interface FormProps {
  readonly settings: CompanySettings;
  readonly change: ReturnType<typeof useChange<CompanySettings, CompanySettings>>;
}

function SettingsForm({ settings, change }: FormProps) {
  const client = useQueryClient();
  const zones = useMemo(
    () => [...new Set([settings.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(),
    [settings.timeZone],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    change.mutate(
      { name: given.get('name') as string, timeZone: given.get('timeZone') as string },
      // The name stands in the frame of every page.
      { onSuccess: () => void client.invalidateQueries({ queryKey: ['me'] }) },
    );
  };
  return (
    <form onSubmit={submit}>
      {change.error && <Failure error={change.error} />}
      <label htmlFor="company-name">Name</label>
      <input id="company-name" name="name" maxLength={200} defaultValue={settings.name} required />
      <label htmlFor="time-zone">Time zone</label>
      <select id="time-zone" name="timeZone" defaultValue={settings.timeZone} aria-describedby="zone-use">
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
      <p id="zone-use" className="quiet">
        Weekday and time of day of messages that are sent with UTC times are read by this clock: of those that
        come from now on. What was counted stays as it is.
      </p>
      <div className="row">
        <button className="main" disabled={change.isPending}>
          Save
        </button>
        <span role="status">{change.isSuccess && 'Saved.'}</span>
      </div>
    </form>
  );
}
