import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** 30: a blocked quote is judged again as soon as what blocks it changes. The daemon audits itself in every turn. */
export const wokenInTime: MakeJudgement = ({ world, fail }) => {
  let run: Run | null = null;
  function look(): void {
    const missed = run?.composed.parts.orders.status().missedWakes ?? 0;
    if (missed > 0) fail('30 missed wakes', `${missed} quotes could have been placed and were not woken`);
  }
  return {
    onEvent() {
      if (world.run === run) return;
      look();
      run = world.run;
    },
    atRest: look,
  };
};
