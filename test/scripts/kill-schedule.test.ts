import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.ts';
import { KILL_POINTS, KillSchedule, nameOf } from '../crash/schedule.ts';

/** Makes this many kills. Those for which `reached` returns no do not reach their point. */
function spread(
  kills: number,
  reached: (name: string) => boolean,
): { schedule: KillSchedule; byTimer: number } {
  const schedule = new KillSchedule(seededRandom(1, 'kills'));
  let byTimer = 0;
  for (let kill = 0; kill < kills; kill++) {
    const next = schedule.next();
    if (next === null) byTimer++;
    else if (reached(nameOf(next.point))) schedule.hit(next.point);
    else schedule.missed(next.point);
  }
  return { schedule, byTimer };
}

describe('the schedule of kills', () => {
  it('spreads them over all points, and leaves some to any instant', () => {
    const { schedule, byTimer } = spread(200, () => true);
    const hits = Object.values(schedule.hits());
    expect(hits).toHaveLength(KILL_POINTS.length);
    expect(Math.max(...hits) - Math.min(...hits)).toBeLessThanOrEqual(1);
    expect(byTimer).toBeGreaterThan(5);
    expect(byTimer).toBeLessThan(40);
    expect(schedule.neglected(200)).toEqual([]);
  });

  it('tries a missed point again, and reports a point that is never reached', () => {
    const { schedule } = spread(200, (name) => name !== 'after-lookup');
    expect(schedule.neglected(200)).toEqual(['after-lookup']);
    expect(schedule.hits()['before-lookup']).toBeGreaterThanOrEqual(3);
  });

  it('makes a missed point the first thing to happen in its next run', () => {
    const schedule = new KillSchedule(seededRandom(2, 'kills'));
    for (const point of KILL_POINTS) schedule.missed(point);
    for (let kill = 0; kill < 50; kill++) expect(schedule.next()?.after ?? 0).toBe(0);
  });

  it('adds kills only for neglected points, once the requested kills are done', () => {
    const { schedule } = spread(200, (name) => !name.startsWith('drain/'));
    const neglected = schedule.neglected(200);
    expect(neglected.length).toBeGreaterThan(1);
    for (let kill = 200; kill < 260; kill++) {
      const next = schedule.next(kill, 200);
      expect(neglected).toContain(next === null ? 'any instant' : nameOf(next.point));
    }
  });
});
