import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { drawPlan } from './plan.ts';
import { wereDeleted } from './traits.ts';

it('excuses missing heartbeats after they were deleted, but not all day', () => {
  const deletion = faultSchema.parse({ target: 'account', fault: 'heartbeats_deleted', at: 100 });
  const plan = { ...drawPlan(1, 600), faults: [deletion] };
  const excused = [99_000, 100_000, 160_000, 400_000].filter((sinceMs) => wereDeleted(plan, sinceMs));
  expect(excused).toEqual([100_000, 160_000]);
  expect(wereDeleted(plan, null)).toBe(false);
});
