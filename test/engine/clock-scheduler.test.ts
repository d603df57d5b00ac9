import { interval, take, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { clockScheduler } from '../../src/engine/clock-scheduler.ts';

function rig() {
  const clock = new VirtualClock();
  const seen: (readonly [what: unknown, atMs: number])[] = [];
  const note = (what: unknown): void => void seen.push([what, clock.monotonicMs()]);
  return { clock, scheduler: clockScheduler(clock), seen, note };
}

describe('the scheduler of the clock', () => {
  it('never runs work within the call, and runs what is due at one instant in the order of the calls', async () => {
    const { clock, scheduler, seen, note } = rig();
    scheduler.schedule(() => note('first'));
    scheduler.schedule(() => note('second'));
    expect(seen).toEqual([]);
    await clock.advance(0);
    expect(seen).toEqual([
      ['first', 0],
      ['second', 0],
    ]);
  });

  it('passes on the state, and lets work schedule itself again from the end of its run', async () => {
    const { clock, scheduler, seen, note } = rig();
    scheduler.schedule<number>(
      function (count) {
        note(count);
        if (count < 3) this.schedule(count + 1, 10);
      },
      5,
      1,
    );
    await clock.advance(100);
    expect(seen).toEqual([
      [1, 5],
      [2, 15],
      [3, 25],
    ]);
  });

  it('runs nothing after it is cancelled, from outside or by the work itself', async () => {
    const { clock, scheduler, seen, note } = rig();
    scheduler.schedule(() => note('cancelled'), 5).unsubscribe();
    scheduler.schedule(function () {
      note('once');
      this.schedule(undefined, 5);
      this.unsubscribe();
      this.schedule(undefined, 5);
    }, 5);
    await clock.advance(100);
    expect(seen).toEqual([['once', 5]]);
  });

  it('shows monotonic time, whatever the wall clock does', async () => {
    const { clock, scheduler } = rig();
    clock.jumpWall(-3_600_000);
    await clock.advance(250);
    expect(scheduler.now()).toBe(250);
  });

  it('drives timers of RxJS by virtual time alone, and leaves none behind', async () => {
    const { clock, scheduler, seen, note } = rig();
    timer(30, 20, scheduler).pipe(take(2)).subscribe(note);
    interval(45, scheduler)
      .pipe(take(2))
      .subscribe((count) => note(`interval ${count}`));
    await clock.advance(1_000);
    expect(seen).toEqual([
      [0, 30],
      ['interval 0', 45],
      [1, 50],
      ['interval 1', 90],
    ]);
    expect(clock.nextTimerMs()).toBeNull();
  });
});
