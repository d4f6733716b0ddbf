import { CHANNELS, OUTCOMES, POSITIONS, TOOL_NAMES } from '@outcomes/contracts';
import { actInWords, forPeople, inWords, sourceInWords } from './code-words.format';

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
