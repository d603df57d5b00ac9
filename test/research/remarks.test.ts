import { expect, it } from 'vitest';
import { fillRemarks } from '../../src/research/remarks.ts';

it('says how many events have fills that are inferred', () => {
  expect(fillRemarks([{ hasTrades: true }])).toEqual([]);
  expect(fillRemarks([{ hasTrades: true }, { hasTrades: false }])[0]).toMatch(
    /^1 event has no recorded trades/,
  );
  expect(fillRemarks([{ hasTrades: false }, { hasTrades: false }])[0]).toMatch(/^2 events have/);
});
