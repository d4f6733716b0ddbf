import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Tally } from './client.ts';
import { questionTimes } from './display.ts';

describe('the times of questions', () => {
  it('are those of the first third and the last, by question and not by recipient, the slowest of late first', () => {
    const tally = new Tally();
    const add = (name: string, at: number, milliseconds: number) =>
      tally.add('read', { name, at, milliseconds }, false);
    for (let at = 0; at < 90; at += 1) {
      add(`/v1/contacts/recipient-${at}`, at, at < 30 ? 10 : at < 60 ? 9_000 : 50);
      add('/v1/health', at, 20);
    }
    deepEqual(questionTimes(tally, 0, 90), [
      { kind: 'read', name: '/v1/contacts/recipient', requests: 90, median: [10, 50], p99: [10, 50] },
      { kind: 'read', name: '/v1/health', requests: 90, median: [20, 20], p99: [20, 20] },
    ]);
  });
});
