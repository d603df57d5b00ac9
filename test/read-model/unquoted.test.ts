import { expect, it } from 'vitest';
import { isUnquoted, whyUnquoted } from '../../src/read-model/unquoted.ts';

const quotingOf = (wanted: number) => ({
  wanted,
  quoted: 0,
  twoSided: 0,
  notQuotingS: null,
  readiness: {
    wanted,
    quoted: 0,
    waiting: wanted === 0 ? [] : [{ why: 'wait for betslips', count: wanted }],
    isShort: true,
  },
});

it.each([
  [2, 'synced', '2 wanted → 0 quoted: 2 wait for betslips'],
  [0, 'connecting', 'the stream is connecting'],
  [0, 'synced', 'no event was chosen: the market has none that [universe] takes'],
])('says why nothing is quoted: %s wanted, stream %s', (wanted, stream, why) => {
  expect(whyUnquoted({ quoting: quotingOf(wanted), stream })).toContain(why);
});

it.each([
  [0, 0, true],
  [1, 0, false],
  [2, 1, false],
])('calls a run with %s orders and %s selections unquoted: %s', (placed, quoted, is) => {
  expect(isUnquoted({ orders_placed: placed, selections_quoted: quoted })).toBe(is);
});
