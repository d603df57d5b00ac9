import { expect, it } from 'vitest';
import { withLastEnd } from '../../../src/research/import/market-import.ts';
import { closed, inPlay, open, type Step, suspended, updatesOf } from '../../support/tapes.ts';

it.each<[string, number[], number[]]>([
  ['the only end', [open, suspended, closed], [open, suspended, closed]],
  ['the last end alone', [open, closed, open, closed], [open, suspended, open, closed]],
  ['no end, if it trades on', [open, closed, open], [open, suspended, open]],
  [
    'its play through an end in play',
    [open, open + inPlay, closed, open + inPlay, closed],
    [open, open + inPlay, suspended + inPlay, open + inPlay, closed],
  ],
  [
    'its play through several ends',
    [suspended + inPlay, closed, suspended + inPlay, closed, open + inPlay, closed],
    [suspended + inPlay, suspended + inPlay, suspended + inPlay, suspended + inPlay, open + inPlay, closed],
  ],
  [
    'no trace of play that begins later',
    [open, closed, open, open + inPlay, closed],
    [open, suspended, open, open + inPlay, closed],
  ],
])('a market that reopens keeps %s', (_, given, expected) => {
  const updates = updatesOf(given.map((state, at): Step => [at, 'state', state, 5_000]));
  const found = withLastEnd(updates);
  expect([...found.tick]).toEqual(expected);
  expect([...updates.tick]).toEqual(given);
  expect([...found.micros]).toEqual(given.map(() => 5_000));
});
