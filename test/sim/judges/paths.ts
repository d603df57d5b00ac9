import type { MakeJudgement } from './judge.ts';

/** Judges nothing, and counts what happened at the exchange that its faults only make possible. */
export const paths: MakeJudgement = ({ world }) => ({
  onEvent() {
    const inDanger = world.run?.told.inDanger;
    if (inDanger === undefined || inDanger.size === 0) return;
    inDanger.clear();
    world.note('path: bet told in danger');
  },
});
