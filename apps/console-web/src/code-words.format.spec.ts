import { ALERT_CATALOGUE, CHANNELS, OUTCOMES, POSITIONS, TOOL_NAMES } from '@outcomes/contracts';
import { actInWords, forPeople, inWords, limitsInWords, sourceInWords } from './code-words.format';

describe('codes in words', () => {
  it('are read as they are said', () => {
    expect(['email', 'c_suite', 'entry_level', 'switch_channel', 'unsubscribed'].map(inWords)).toEqual([
      ...['e-mail', 'C-suite', 'entry level', 'switch channel', 'unsubscribed'],
    ]);
    expect([...CHANNELS, ...POSITIONS, ...OUTCOMES].map(inWords).join()).not.toContain('_');
    expect(['key.revoke', 'person.change_role'].map(actInWords)).toEqual([
      ...['key: revoke', 'person: change role'],
    ]);
  });
});

it('what a number rests on is said in words, also where it is of a later version', () => {
  expect(['prior', 'a_later_one'].map(sourceInWords)).toEqual(['no outcomes of the company', 'a later one']);
});

describe('advice to agents', () => {
  it('is told to people with the names of pages', () => {
    expect(forPeople('See get_drift_state; look at its scope.')).toBe('See Drift; look at its scope.');
    expect(TOOL_NAMES.map(forPeople).join()).not.toContain('get_');
  });
});

describe('what limits the numbers of a page', () => {
  it('is said to people without a code or a field, in the order of the alerts', () => {
    const [silent, sample] = limitsInWords([
      'source_silent',
      'results_truncated',
      'small_sample',
      'of_a_later_version',
    ]);
    expect([silent, sample]).toEqual([
      expect.stringContaining('webhook has stopped'),
      expect.stringContaining('fewer than 30'),
    ]);
    expect(limitsInWords(['results_truncated', 'of_a_later_version'])).toEqual([]);
    expect(limitsInWords(Object.keys(ALERT_CATALOGUE)).join()).not.toMatch(/_|get_/);
  });

  it('leaves out no warning that a page does not say by itself', () => {
    const saidByPages =
      /^(no_|awaiting|campaign_not|contact_|calibration_|placeholder|very_stale_outcomes|drift_(relearning|not)|high_|elevated_|below_|denied_|quota_|key_)/;
    const unsaid = Object.entries(ALERT_CATALOGUE)
      .filter(([code, { severity }]) => severity !== 'info' && limitsInWords([code]).length === 0)
      .map(([code]) => code);
    expect(unsaid.filter((code) => !saidByPages.test(code))).toEqual([]);
  });
});
